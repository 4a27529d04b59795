// Whatever an editor can show of the package says what it is: every exported name and every member has a sentence of its
// own. A member of a type that is written in place will do with being named, `so`, in the sentence of the one around it.
// "What is used of" another library's type is that library's to explain.
// `cargo xtask check types` calls it with the folder of the built package.

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// TypeScript 7 has no API yet.
const ts = createRequire(new URL('compilers/', import.meta.url))('typescript-6.0');

const isExported = (node) => Boolean(node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword));

const [folder] = process.argv.slice(2);
const entries = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
const texts = new Map(entries.map((name) => [readFileSync(join(folder, name), 'utf8'), name])); // some entries have the same
const silent = [...texts].flatMap(([text, name]) => undocumented(name, text));
for (const place of silent) console.error(`${place} has no documentation`);
if (entries.length === 0) throw new Error(`${folder} holds no types`);
if (silent.length > 0) process.exitCode = 1;

function undocumented(name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const line = (node) => file.getLineAndCharacterOfPosition(node.getStart()).line + 1;

  /** `around` is all that is said of what this stands in. */
  function visit(node, path, around) {
    const isNamed = ts.isTypeElement(node) || ts.isClassElement(node) || isExported(node);
    let heard = around;
    if (ts.isConstructorDeclaration(node)) return; // what it takes is what the members are
    if (isNamed) {
      const own = sentence(node);
      if (own.startsWith('What is used of ')) return;
      const here = [...path, node.name ? node.name.getText() : '(unnamed)'];
      const inPlace = ts.isTypeLiteralNode(node.parent) && around.includes(`\`${here.at(-1)}\``);
      if (!own && !inPlace) found.push(`${name}:${line(node)}: ${here.join('.')}`);
      heard = ts.isTypeLiteralNode(node.parent) ? around + own : own;
      path = here;
    }
    ts.forEachChild(node, (child) => visit(child, path, heard));
  }
  visit(file, [], '');
  return found;
}

/** What is said of a declaration, without tags such as `@default`. */
function sentence(node) {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return docs.map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '').join('\n');
}

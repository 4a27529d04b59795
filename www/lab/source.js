// A scene's code as a user would write it: the body of the very function that runs, and the import it needs.

import { element } from './element.js';

/**
 * The sample for `async call({ spFetch, url }) {…}`: an import of what the package exports of it, then its body.
 * The first line must hold the whole parameter list.
 */
export function sample(method, steadfetch) {
  const [first, ...lines] = method.toString().split('\n').slice(0, -1);
  const wanted = /\{([^}]*)\}/.exec(first)[1].split(',').map((name) => name.trim());
  const names = wanted.filter((name) => name in steadfetch);
  const indent = Math.min(...lines.filter(Boolean).map((line) => line.search(/\S/)));
  const body = lines.map((line) => line.slice(indent).replace(/\breturn (?=show)/, ''));
  return [`import { ${names.join(', ')} } from 'steadfetch';`, '', ...body].join('\n');
}

const TOKEN = new RegExp(
  [
    /(?<comment>\/\/.*)/,
    /(?<string>'[^'\n]*'|`[^`]*`)/,
    /(?<keyword>\b(?:import|from|const|await|async|function|try|catch|if|else|of|for|return|throw|new|let)\b)/,
    /(?<number>\b\d[\d_]*\b)/,
    /(?<call>\b\w+(?=\())/,
  ]
    .map((part) => part.source)
    .join('|'),
  'g',
);

/** The text as `<code>`, its tokens in spans. */
export function highlighted(text) {
  const code = element('code');
  let done = 0;
  for (const token of text.matchAll(TOKEN)) {
    const [kind] = Object.entries(token.groups).find(([, found]) => found !== undefined);
    code.append(text.slice(done, token.index), element('span', { class: `token-${kind}` }, token[0]));
    done = token.index + token[0].length;
  }
  code.append(text.slice(done));
  return code;
}

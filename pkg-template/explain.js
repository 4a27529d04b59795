// The sentence for a person. The account lies in JavaScript, so no engine is needed, and none is started.

import { engine } from './engine.js';
import { FAILED, NO_ANSWER, stranger, told } from './explain_words.js';
import { recall } from './snippets/attempt.js';
import { errorName, text } from './snippets/answer.js';

export function explain(of) {
  const kept = recall(of);
  const code = text(of, 'code');
  // Of the wrong options only a transport's is found out after sending.
  if (kept) return code === 'EOPTION' ? NO_ANSWER : told(kept);
  const said = stranger(errorName(of), code);
  // Plain fetch keeps no accounts.
  return said === FAILED && engine() === 'none' ? 'The request was sent once; why it ended as it did is not known.' : said;
}

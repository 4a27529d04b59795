// What is compared: one small application, to which the same wasm comes in different ways.

/** A round trip to a server that is not far. */
const FAR_MS = 20;

export const SHIPPED = 'text', TIMED = 'timed';

/** Those with `inside` hold the wasm, as what it says; the others fetch it, `delayMs` late. */
export const VARIANTS = [
  { name: SHIPPED, inside: 'text', title: 'as shipped: text in the script' },
  { name: 'again', inside: 'text', title: 'as shipped, again (A/A)' },
  { name: 'base64', inside: 'base64', title: 'base64 in the script' },
  { name: 'separate', title: 'a `.wasm` file' },
  { name: 'far', delayMs: FAR_MS, title: `a \`.wasm\` file, ${FAR_MS} ms away` },
  { name: TIMED, inside: 'text', title: 'as shipped, with looks at the clock' },
];

export const folder = '/target/bench/start';
/** The files of one round. */
export const scriptOf = ({ name }, round) => `${name}-${round}.js`;
export const wasmOf = ({ name }, round) => `${name}-${round}.wasm`;

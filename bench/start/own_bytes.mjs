// A custom section behind the wasm. Engines skip it, but keep compiled code by the bytes of the module: with the same ones
// in every round, Chromium takes half the time from instantiation to the first send, since it compiles functions when they
// are called and finds those of earlier rounds.

/** `mark`: less than a hundred ASCII characters. */
export function section(mark) {
  const content = [...Buffer.from(mark)];
  return [0, content.length + 1, 0, ...content]; // kind, size, a name without letters
}

/** The text of the wasm with these bytes behind it, in its own code (xtask/src/build/encode.rs). */
export function appended(text, bytes) {
  const alphabet = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).filter((sign) => !'"$\'<\\`'.includes(sign));
  const [short, long] = [1, 0].map((kind) => [...Array(256).keys()].filter((byte) => ((parseInt(text[byte >> 2], 16) >> (byte & 3)) & 1) === kind));
  const code = (byte) => {
    const n = long.indexOf(byte);
    return n < 0 ? alphabet[short.indexOf(byte) + 2] : alphabet[Math.floor(n / alphabet.length)] + alphabet[n % alphabet.length];
  };
  return text + bytes.map(code).join('');
}

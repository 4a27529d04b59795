// The wasm arrives as text inside the JavaScript; this turns it back into bytes. The code is described, and its cost
// recorded, where it is written: xtask/src/build/encode.rs.

/** @param {string} text @returns {Uint8Array} */
export function decode(text) {
  const place = {}; // of each character in the alphabet
  for (let code = 32, next = 0; code < 127; code++) if (!'"$\'<\\`'.includes(String.fromCharCode(code))) place[code] = next++;
  const short = [], long = []; // byte values written as one character, and as two
  for (let byte = 0; byte < 256; byte++) (((parseInt(text[byte >> 2], 16) >> (byte & 3)) & 1) ? short : long).push(byte);
  const bytes = new Uint8Array(text.length);
  let size = 0;
  for (let at = 64; at < text.length; at++) {
    const n = place[text.charCodeAt(at)];
    bytes[size++] = n < 2 ? long[n * 89 + place[text.charCodeAt(++at)]] : short[n - 2];
  }
  return bytes.subarray(0, size);
}

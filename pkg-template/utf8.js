// jsdom, and so Jest, has no TextDecoder and no TextEncoder, and wasm-bindgen's glue cannot start without them. These
// two do only what the glue asks for: whole, valid strings. They are used where the real ones are missing, never
// installed on the page.

export class Utf8Decoder {
  /** @param {Uint8Array} [bytes] */
  decode(bytes) {
    let escaped = '';
    if (bytes) for (const byte of bytes) escaped += '%' + (byte + 256).toString(16).slice(1);
    return decodeURIComponent(escaped);
  }
}

export class Utf8Encoder {
  /** @param {string} text */
  encode(text) {
    const bytes = [];
    for (const character of text) {
      // A lone surrogate becomes U+FFFD as in the real encoder; encodeURIComponent would throw.
      const valid = /^[\uD800-\uDFFF]$/.test(character) ? '\uFFFD' : character;
      for (const part of encodeURIComponent(valid).match(/%..|./g)) {
        bytes.push(part.length > 1 ? parseInt(part.slice(1), 16) : part.charCodeAt(0));
      }
    }
    return Uint8Array.from(bytes);
  }
}

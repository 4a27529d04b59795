// Sizes as they are put on record: raw, and as a server would compress them.

import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** @returns {{ raw: number, gzip: number, brotli: number }} */
export function sizes(bytes) {
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli.length };
}

/** Rows of a name and its sizes, as text. */
export function table(title, rows) {
  const line = (cells) => cells[0].padEnd(30) + cells.slice(1).map((cell) => cell.padStart(10)).join('');
  return [
    line([title, 'raw', 'gzip -9', 'brotli 11']),
    ...rows.map(({ name, ...columns }) => line([name, ...Object.values(columns).map((size) => size.toLocaleString('en'))])),
  ].join('\n');
}

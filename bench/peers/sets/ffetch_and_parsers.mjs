export * from '../adapters/ffetch.mjs';
export * from './parsers.mjs';

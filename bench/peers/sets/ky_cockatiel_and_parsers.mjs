export * as cockatiel from '../adapters/cockatiel.mjs';
export * as ky from '../adapters/ky.mjs';
export * from './parsers.mjs';

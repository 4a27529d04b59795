export * as axios from '../adapters/axios.mjs';
export * as cockatiel from '../adapters/cockatiel.mjs';
export * from './parsers.mjs';

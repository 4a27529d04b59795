export { aiFetch, spFetch } from '../../../pkg/index.mjs';

/**
 * SharePoint's published policy, as far as it concerns scripts, and what else administrators set; and what the package runs on
 * under each. `policy.html` is a page under one of them.
 */
export const POLICIES = {
  'no policy': ['', 'wasm'],
  'SharePoint\'s': ["script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:", 'wasm'],
  'one without any eval': ["script-src 'self'", 'js'],
  'one with wasm-unsafe-eval only': ["script-src 'self' 'wasm-unsafe-eval'", 'wasm'],
};

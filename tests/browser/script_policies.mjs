// Policies for scripts that a page may be under, and the engine that then runs. For suites in a page and for Node.

/** SharePoint's is its published policy, as far as it concerns scripts; the others are what administrators set. */
export const POLICIES = {
  'no policy': ['', 'wasm'],
  'SharePoint\'s': ["script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:", 'wasm'],
  'one without any eval': ["script-src 'self'", 'js'],
  'one with wasm-unsafe-eval only': ["script-src 'self' 'wasm-unsafe-eval'", 'wasm'],
};

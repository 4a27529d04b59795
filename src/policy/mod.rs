//! Pure and synchronous: what to do, never how. Time and randomness come in as arguments.

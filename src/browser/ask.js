// What this side asks of the running engine: its synchronous exports. Only the entry files know the engine; they say so here.

let asks;

export function useEngine(ask) {
  asks = ask;
}

/** `otherwise` where no engine runs, or this very question ended it. */
export const ask = (name, otherwise, ...args) => (asks ? asks(name, otherwise, ...args) : otherwise);

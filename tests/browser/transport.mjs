// A transport that keeps account of what goes through it, by the page's clock. It knows when the network has come to
// rest, so that a test can move a virtual clock while real requests are made.

import { nextTask, until } from './next_task.mjs';

/** How many tasks the page may need to deal with an answer. */
const SETTLING = 3;

export class Transport {
  /** When each request was sent, and when it was answered or failed. */
  sends = [];
  underWay = 0;
  #send;

  constructor(send = globalThis.fetch.bind(globalThis)) {
    this.#send = send;
  }

  /** The option `fetch`. */
  fetch = async (input, init) => {
    const send = { at: performance.now(), endedAt: undefined, status: null };
    this.sends.push(send);
    this.underWay++;
    try {
      const response = await this.#send(input, init);
      send.status = response.status;
      return response;
    } finally {
      send.endedAt = performance.now();
      this.underWay--;
    }
  };

  /** Until at most so many requests are under way and the page has dealt with the others. */
  async rest(held = 0) {
    await until(() => this.underWay <= held);
    for (let n = 0; n < SETTLING; n++) await nextTask();
    if (this.underWay > held) await this.rest(held);
  }
}

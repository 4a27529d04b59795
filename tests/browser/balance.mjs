// What is put into the page and not taken out again, counted. In tests and in bench/memory.

class Balance {
  added = 0;
  open = new Set();

  add(key) {
    this.added++;
    this.open.add(key);
  }
}

/** The listeners on a signal. */
export function listenersOn(signal) {
  const balance = new Balance();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  signal.addEventListener = (type, listener, options) => {
    balance.add(listener);
    addEventListener.call(signal, type, listener, options);
  };
  signal.removeEventListener = (type, listener, options) => {
    balance.open.delete(listener);
    removeEventListener.call(signal, type, listener, options);
  };
  return balance;
}

/** The signals that are made to follow it: Firefox keeps something of each. `replace` as below. */
export function followersOf(signal, replace) {
  const { any } = AbortSignal;
  const followers = [];
  replace(AbortSignal, 'any', (signals) => {
    if (signals.includes(signal)) followers.push(signals);
    return any.call(AbortSignal, signals);
  });
  return followers;
}

/** The timers of the page. `replace` puts something in the place of a member, for as long as is to be counted. */
export function timers(replace) {
  const balance = new Balance();
  const { setTimeout, clearTimeout } = globalThis;
  replace(globalThis, 'setTimeout', (act, ms, ...rest) => {
    const id = setTimeout(() => {
      balance.open.delete(id);
      act(...rest);
    }, ms);
    balance.add(id);
    return id;
  });
  replace(globalThis, 'clearTimeout', (id) => {
    balance.open.delete(id);
    clearTimeout(id);
  });
  return balance;
}

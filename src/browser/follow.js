// For browsers without AbortSignal.any: passes the caller's abort on to a body that is still streaming. The signal
// may outlive thousands of calls, so its listener holds the controller weakly, and leaves with the body.

/** Keeps a controller alive as long as somebody can read the body. */
const controllers = new WeakMap();

const bodies =
  typeof FinalizationRegistry === 'function' &&
  new FinalizationRegistry(({ signal, listener }) => signal.removeEventListener('abort', listener));

export function follow(signal, controller, answer) {
  let body;
  try {
    body = answer.body;
  } catch (_) {
    return;
  }
  // Without weak references a listener could never leave again; such browsers end with 2020.
  if (!bodies || typeof body !== 'object' || body === null) return;
  const weak = new WeakRef(controller);
  const listener = () => {
    const controller = weak.deref();
    if (controller) controller.abort(signal.reason);
  };
  signal.addEventListener('abort', listener, { once: true });
  controllers.set(answer, controller);
  controllers.set(body, controller);
  bodies.register(body, { signal, listener });
}

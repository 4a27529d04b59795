// A Function App on loopback: node:http in front of a handler, which gets and gives what Azure's own library makes of a
// request and of an answer.

import { once } from 'node:events';
import { createServer } from 'node:http';
import azure from '@azure/functions'; // CommonJS, whose names an import cannot see

const { HttpRequest, HttpResponse, InvocationContext } = azure;

/**
 * `instead(request)` may end a request before its answer, while the handler works on: 'reset' breaks the connection, a
 * number is a status from a gateway in between. `requests` tells what came, and `logged` what the handler wrote to the
 * app's log.
 */
export async function serve(handler, { instead = () => undefined } = {}) {
  const requests = [];
  const logged = [];

  const server = createServer(async (incoming, outgoing) => {
    outgoing.shouldKeepAlive = false; // on a reused connection a browser sends again what was lost
    const request = new HttpRequest({
      method: incoming.method,
      url: `http://${incoming.headers.host}${incoming.url}`,
      headers: incoming.headers,
      body: { bytes: await bytes(incoming) },
    });
    const context = new InvocationContext({
      invocationId: `call-${requests.length + 1}`,
      logHandler: (level, ...words) => logged.push(`${level}: ${words.join(' ')}`),
    });
    const entry = { method: request.method, url: request.url, headers: Object.fromEntries(request.headers), status: null };
    requests.push(entry);
    const answering = handler(request, context);
    const end = instead(request);
    if (end === 'reset') breakOff(outgoing.socket);
    else if (end) outgoing.writeHead(end, { 'access-control-allow-origin': '*' }).end();
    const answer = new HttpResponse(await answering);
    entry.status = answer.status;
    if (end) return;
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  const stop = () => {
    server.close();
    server.closeAllConnections(); // a failed test may have left one open
  };
  return { origin, requests, logged, stop };
}

async function bytes(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** In the middle of the headers, with a reset: the one end that every client takes for a failure and none mends. */
function breakOff(socket) {
  socket.write('HTTP/1.1 200 OK\r\nContent-', () => socket.resetAndDestroy());
}

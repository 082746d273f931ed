import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests that may wait behind the first one of a connection. Node reads up to 64 KiB at once: some 1,500 requests.
 */
const MOST_WAITING = 32;

/**
 * Serves the requests of a connection one after the other: a pipelined request starts when the previous response is
 * sent. A client that reads no response therefore costs one response. A connection with more than {@link MOST_WAITING}
 * waiting requests is closed.
 */
export function serveInTurn(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.once('close', () => {
      const next = waiting.get(socket)?.shift();
      if (next === undefined || socket.destroyed) waiting.delete(socket);
      else serve(...next);
    });
    listener(request, response);
  }

  return (request, response) => {
    const { socket } = request;
    const others = waiting.get(socket);
    if (others === undefined) {
      waiting.set(socket, []);
      serve(request, response);
    } else if (others.length < MOST_WAITING) {
      others.push([request, response]);
    } else {
      others.length = 0;
      socket.destroy();
    }
  };
}

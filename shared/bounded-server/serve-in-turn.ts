import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait behind the first of their connection. Node reads up to 64 KiB of requests at once: some 1,500 of them. */
const MOST_WAITING = 32;

/**
 * Serves the requests of a connection one after the other: a pipelined request starts when the answer before it is sent. A client that
 * sends requests and reads no answer costs one answer. A connection with more than {@link MOST_WAITING} waiting requests is closed.
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

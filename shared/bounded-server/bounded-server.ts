import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { boundConnections } from './bound-connections.js';
import { endSlowReaders } from './end-slow-readers.js';
import { serveInTurn } from './serve-in-turn.js';

export interface ServerBounds {
  /** Connections at once, all addresses together. */
  readonly mostConnections: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Also serves requests with `Expect: 100-continue`. Absent: Node tells such a client to go on. */
  readonly answersExpect?: boolean;
}

/** Longer than load balancers keep idle connections (60 s): they never write to a connection that was just closed. */
const KEEP_ALIVE_MS = 75_000;
/** From a connection's beginning, or a request's first byte, to the end of its headers. */
const HEADERS_MS = 15_000;

/**
 * An HTTP server whose clients cannot hold more of the process than their share: bounds on connections, on requests under way in a
 * connection, and on the time to send headers and to read an answer.
 */
export function createBoundedServer(
  listener: RequestListener,
  { mostConnections, now, answersExpect = false }: ServerBounds,
  options: ServerOptions = {},
): Server {
  const inTurn = serveInTurn(listener);
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: HEADERS_MS / 3,
      ...options,
    },
    inTurn,
  );
  if (answersExpect) server.on('checkContinue', inTurn);
  boundConnections(server, mostConnections);
  endSlowReaders(server, now);
  return server;
}

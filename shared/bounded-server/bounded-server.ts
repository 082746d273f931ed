import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { boundConnections } from './bound-connections.js';
import { endSlowReaders } from './end-slow-readers.js';
import { serveInTurn } from './serve-in-turn.js';

export interface ServerBounds {
  /** Concurrent connections from all addresses. */
  readonly mostConnections: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Also serves requests with `Expect: 100-continue`. Absent: Node answers such a client with 100 Continue. */
  readonly answersExpect?: boolean;
}

/** Longer than load balancers keep idle connections (60 s), so that they never write to a connection just closed. */
const KEEP_ALIVE_MS = 75_000;
/** From the start of a connection, or a request's first byte, to the end of the headers. */
const HEADERS_MS = 15_000;

/**
 * An HTTP server that bounds each client's use of the process: connections, requests in progress per connection, and
 * the time to send headers and to read a response.
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

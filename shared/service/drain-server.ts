import { once } from 'node:events';
import type { Server } from 'node:http';

const SWEEP_MS = 25;

/**
 * Accepts no new connection and resolves when the last one is closed.
 * @param onLate called if calls in progress exceed the timeout; they are then cut off
 */
export async function drainServer(server: Server, timeoutMs: number, onLate?: () => void): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => {
    onLate?.();
    server.closeAllConnections();
  }, timeoutMs);
  // A connection that becomes idle after close() stays open for a next request, which never comes.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}

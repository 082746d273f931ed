import { once } from 'node:events';
import type { Server } from 'node:http';

const SWEEP_MS = 25;

/** Takes no new connection and resolves when the last one is gone. @param onLate called where calls under way take longer; they are cut off then */
export async function drainServer(server: Server, timeoutMs: number, onLate?: () => void): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => {
    onLate?.();
    server.closeAllConnections();
  }, timeoutMs);
  // A connection that falls idle after close() is kept open for its client's next request; there will be none.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Above this share of the connections, an address with {@link MOST_OF_ONE} of them is refused. */
const CROWDED = 3 / 4;
const MOST_OF_ONE = 1 / 4;

/**
 * Bounds the connections of a server, so that a client with many silent connections cannot block other clients. When
 * few connections are left, idle ones are closed and the addresses with the most connections are refused. A load
 * balancer is one address, so its share must carry its traffic.
 */
export function boundConnections(server: Server, most: number): void {
  const held = new Map<string, number>();
  let total = 0;

  function isBeyond(address: string): boolean {
    if (total < most * CROWDED) return false;
    server.closeIdleConnections();
    return total >= most || (held.get(address) ?? 0) >= most * MOST_OF_ONE;
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isBeyond(address)) {
      socket.destroy();
      return;
    }
    total++;
    held.set(address, (held.get(address) ?? 0) + 1);
    socket.once('close', () => {
      total--;
      const left = held.get(address)! - 1;
      if (left === 0) held.delete(address);
      else held.set(address, left);
    });
  });
}

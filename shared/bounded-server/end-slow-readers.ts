import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND_MS } from '../durations.js';

export interface SlowReaders {
  /** Time between two checks of the connections. */
  readonly lookMs: number;
  /** Longest time for a client to read {@link leastBytes} while more data waits for it. */
  readonly graceMs: number;
  readonly leastBytes: number;
}

/** 4 KiB a second. The kernel buffers some hundred KiB, so a smaller amount would look like a pause. */
const defaults: SlowReaders = { lookMs: 5 * SECOND_MS, graceMs: 60 * SECOND_MS, leastBytes: 240 * 1024 };

interface Sending {
  sent: number;
  at: number;
}

/**
 * Closes connections whose client reads its response too slowly. Only bytes written to the socket are counted, so a
 * large response must be written in parts.
 * @param now milliseconds since the epoch
 */
export function endSlowReaders(server: Server, now: () => number, bounds: SlowReaders = defaults): void {
  const sockets = new Map<Socket, Sending>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { sent: 0, at: now() });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, last] of sockets) {
      const sent = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || sent - last.sent >= bounds.leastBytes)
        Object.assign(last, { sent, at: now() });
      else if (now() - last.at >= bounds.graceMs) socket.destroy();
    }
  }, bounds.lookMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createAdminApp } from './admin-app.js';
import type { AdminAppOptions } from './admin-routes.js';

/**
 * Only the running process can open the embedded log, so the command line goes through that process. It uses a
 * socket in DATA_DIR that only the owner of the data can open.
 */

/** The kernel limits socket names to 108 bytes on Linux and 104 on macOS, including the terminating zero. */
const MAX_PATH_BYTES = 103;

/**
 * @returns the shorter of the absolute and the relative path: both name the same socket.
 * @throws Error if both are too long for a socket name.
 */
export function adminSocketPath(dataDir: string): string {
  const absolute = resolve(join(dataDir, 'admin.sock'));
  const shortest = [absolute, relative(process.cwd(), absolute)].sort((a, b) => a.length - b.length)[0]!;
  if (Buffer.byteLength(shortest) > MAX_PATH_BYTES)
    throw new Error(`DATA_DIR is too long for a socket in it (${MAX_PATH_BYTES} bytes): ${dataDir}`);
  return shortest;
}

export interface AdminServer {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Listens on DATA_DIR/admin.sock (mode 0600). Lock the data directory first: a socket without an answer then belongs
 * to an ended process, and is replaced.
 * @throws Error if another process answers on the socket, or the socket can't be created.
 */
export async function startAdminServer({
  dataDir,
  ...options
}: AdminAppOptions & { readonly dataDir: string }): Promise<AdminServer> {
  const path = adminSocketPath(dataDir);
  if (await answers(path)) throw new Error(`another process listens on ${path}`);
  await rm(path, { force: true });
  const server = createAdaptorServer({ fetch: createAdminApp(options).fetch }) as Server;
  await listen(server, path);
  return {
    path,
    async close() {
      const closed = once(server, 'close');
      server.close();
      // Idle keep-alive connections would delay `close`.
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  // The call binds the socket synchronously. The mask keeps other users out even before chmod.
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await listening;
  await chmod(path, 0o600);
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path);
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}

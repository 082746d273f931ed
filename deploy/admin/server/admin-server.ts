import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createAdminApp } from './admin-app.js';
import type { AdminAppOptions } from './admin-routes.js';

/**
 * The embedded log belongs to the running process alone, so the command line goes through that process: by a
 * socket in DATA_DIR that only the owner of the data may open.
 */

/** What the kernel keeps for the name of a socket: 108 bytes on Linux, 104 on macOS, the closing zero included. */
const MAX_PATH_BYTES = 103;

/**
 * The shorter of the absolute and the relative name: the same socket from wherever it is called.
 * @throws Error where both are longer than a socket's name may be.
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
 * Listens on DATA_DIR/admin.sock (mode 0600). Call it when the data directory is locked: a socket that
 * nobody answers on is then a dead process's and is replaced.
 * @throws Error where a living process answers on it, or the socket can't be made.
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
      // Idle keep-alive connections would hold it open.
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  // The socket is bound within this call, and by this mask nobody else can open it, not even before chmod.
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

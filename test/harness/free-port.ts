import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below Linux's range for local ports of outgoing connections (32768 to 60999): such a connection could take
 * the port before the server listens.
 */
const [FIRST_PORT, PORT_BEHIND] = [10_000, 32_768];

/**
 * An unused port of 127.0.0.1, chosen at random, so that concurrent tests hardly ever choose the same.
 * @throws Error if a hundred attempts fail
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(FIRST_PORT, PORT_BEHIND);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${FIRST_PORT} to ${PORT_BEHIND - 1}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}

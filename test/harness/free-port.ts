import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the range from which Linux takes the local ends of outgoing connections (32768 to 60999): a port of that range may
 * become such an end between the look and the listening.
 */
const [FIRST_PORT, PORT_BEHIND] = [10_000, 32_768];

/**
 * A port of 127.0.0.1 on which nobody listens. Chosen at random, so that tests which run at once hardly ever choose the same.
 * @throws Error where a hundred ports in turn are taken.
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

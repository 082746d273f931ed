import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startEmbeddedClickHouse } from '../../deploy/embedded/engine/start-engine.js';
import { createLogger } from '../../shared/logging/log.js';
import { connectClickHouse } from '../../shared/store/client.js';
import { type Deliveries, expectEveryRowOnce } from './every-row-once.js';
import { LINES_PER_UPLOAD, linesOf, sendUpload } from './request-stream.js';
import type { Standalone } from './standalone.js';

/** Sends uploads to a program that a test ends, and checks its store afterwards. */

/** Gives an upload rate that two slow cores can handle. */
const PAUSE_MS = 15;

/** Four concurrent senders until the program has ended; notes the uploads with the answer 200. */
export async function streamUntilGone(
  program: Standalone,
  nextUpload: () => string,
  deliveries: Map<string, Deliveries>,
): Promise<void> {
  let gone = false;
  program.gone.then(() => {
    gone = true;
  });
  const send = async () => {
    while (!gone) {
      const upload = nextUpload();
      await sleep(PAUSE_MS);
      const accepted = await sendUpload(program.credentials, linesOf(upload));
      if (accepted === null) {
        deliveries.set(upload, { sent: 1, answered: 0 });
        continue;
      }
      expect(accepted).toBe(LINES_PER_UPLOAD);
      deliveries.set(upload, { sent: 1, answered: 1 });
    }
  };
  await Promise.all([send(), send(), send(), send()]);
}

export async function untilDrained(program: Standalone, rows: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const summary = (await program.get('/summary?hours=48')) as unknown as { total_requests: number };
    if (summary.total_requests >= rows) break;
    if (Date.now() > deadline) throw new Error(`${summary.total_requests} of ${rows} rows after 60 s`);
    await sleep(200);
  }
  // Uploads without an answer may still be running.
  await sleep(1_500);
}

/** Checks the store of a program that has ended. */
export async function expectStoreToHold(
  deliveries: ReadonlyMap<string, Deliveries>,
  dataDir: string,
): Promise<void> {
  const engine = await startEmbeddedClickHouse({
    directory: join(dataDir, 'clickhouse'),
    logger: createLogger('silent', 'test'),
  });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 1024 ** 3 });
  try {
    await expectEveryRowOnce(clickhouse, deliveries);
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}

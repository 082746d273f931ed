import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectClickHouse } from '../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../shared/clickhouse/embedded/start-engine.js';
import { createLogger } from '../../shared/log.js';
import { type Deliveries, expectEveryRowOnce } from '../harness/every-row-once.js';
import { LINES_PER_UPLOAD, linesOf, sendUpload } from '../harness/request-stream.js';
import { freePort, type Standalone, startStandalone } from '../harness/standalone.js';

/** Uploads come at a rate that two slow cores can follow. */
const PAUSE_MS = 15;
const STREAM_MS = 2_500;
const LIVES = 5;

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-kill-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('a program killed while uploads stream in', () => {
  test('has every answered row once, in the table and in every rollup', { timeout: 180_000 }, async () => {
    const ports = { apiPort: await freePort(), ingestPort: await freePort() };
    const deliveries = new Map<string, Deliveries>();
    let uploads = 0;
    for (let life = 0; life < LIVES; life += 1) {
      const program = await startStandalone({ dataDir, ...ports });
      const streaming = stream(program, () => `u${uploads++}`, deliveries);
      // Each life ends at another moment of the insert cycle (linger 400 ms).
      await sleep(STREAM_MS + life * 130);
      await program.kill();
      await streaming;
    }
    const program = await startStandalone({ dataDir, ...ports });
    const answered = [...deliveries.values()].filter((delivery) => delivery.answered > 0).length;
    await untilDrained(program, answered * LINES_PER_UPLOAD);
    expect(await program.stop()).toBe(0);

    expect(answered).toBeGreaterThan(LIVES);
    await expectStore(deliveries);
  });
});

/** Four senders at once until the program is gone; notes the uploads that were answered with 200. */
async function stream(
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

async function untilDrained(program: Standalone, rows: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const summary = (await program.get('/summary?hours=48')) as unknown as { total_requests: number };
    if (summary.total_requests >= rows) break;
    if (Date.now() > deadline) throw new Error(`${summary.total_requests} of ${rows} rows after 60 s`);
    await sleep(200);
  }
  // Unanswered uploads may still be on their way.
  await sleep(1_500);
}

async function expectStore(deliveries: ReadonlyMap<string, Deliveries>): Promise<void> {
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

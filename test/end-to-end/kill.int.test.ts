import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deliveries } from '../harness/every-row-once.js';
import { freePort } from '../harness/free-port.js';
import { LINES_PER_UPLOAD } from '../harness/request-stream.js';
import { startStandalone } from '../harness/standalone.js';
import { expectStoreToHold, streamUntilGone, untilDrained } from '../harness/stream-until-gone.js';

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
      const streaming = streamUntilGone(program, () => `u${uploads++}`, deliveries);
      // Each run ends at another moment of the insert cycle (linger 400 ms).
      await sleep(STREAM_MS + life * 130);
      await program.kill();
      await streaming;
    }
    const program = await startStandalone({ dataDir, ...ports });
    const answered = [...deliveries.values()].filter((delivery) => delivery.answered > 0).length;
    await untilDrained(program, answered * LINES_PER_UPLOAD);
    expect(await program.stop()).toBe(0);

    expect(answered).toBeGreaterThan(LIVES);
    await expectStoreToHold(deliveries, dataDir);
  });
});

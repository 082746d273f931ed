import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAnotherBoot, type CuttableDisk, createCuttableDisk } from '../harness/cuttable-disk.js';
import type { Deliveries } from '../harness/every-row-once.js';
import { freePort } from '../harness/free-port.js';
import { LINES_PER_UPLOAD } from '../harness/request-stream.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';
import { expectStoreToHold, streamUntilGone, untilDrained } from '../harness/stream-until-gone.js';

const STREAM_MS = 3_500;
const LIVES = 3;
const SYNC_MS = 1_000;
/** The last life ends before its first sync: what it stored is certain to be in doubt. */
const LAST_LIFE_SYNC_MS = 60_000;
/** A start takes some four seconds, a repair one of them. */
const CUT_STARTS = 4;
const FIRST_START_MS = 1_500;
const START_STEP_MS = 600;

let disk: CuttableDisk | null;
let folder: string;

beforeAll(async () => {
  disk = await createCuttableDisk();
  folder = await mkdtemp(join(tmpdir(), 'loglane-boots-'));
});
afterAll(async () => {
  disk?.remove();
  await rm(folder, { recursive: true, force: true });
});

const dataDirOf = (onDisk: CuttableDisk) => join(onDisk.directory, 'data');

/** The program on a machine that was just started. */
async function boot(
  onDisk: CuttableDisk,
  ports: { apiPort: number; ingestPort: number },
  { signal, syncMs = SYNC_MS }: { signal?: AbortSignal; syncMs?: number } = {},
): Promise<Standalone> {
  const bootId = join(folder, randomUUID());
  await writeFile(bootId, `${randomUUID()}\n`);
  return startStandalone({
    dataDir: dataDirOf(onDisk),
    ...ports,
    ...(signal && { signal }),
    within: asAnotherBoot(bootId, onDisk),
    environment: { STORE_SYNC_INTERVAL_MS: String(syncMs) },
  });
}

/** @returns what the program wrote before the cut. */
async function cutWhileStarting(
  cuttable: CuttableDisk,
  ports: { apiPort: number; ingestPort: number },
  moment: number,
): Promise<string> {
  const cut = new AbortController();
  const starting = boot(cuttable, ports, { signal: cut.signal });
  const ended = starting.then(
    async (program) => {
      await program.kill();
      return program.output();
    },
    (error: Error) => error.message,
  );
  await sleep(FIRST_START_MS + moment * START_STEP_MS);
  await cuttable.cut();
  cut.abort();
  const output = await ended;
  await cuttable.restore();
  return output;
}

describe('a machine that loses its power while uploads stream in', () => {
  test('has every answered row once, in the table and in every rollup', {
    timeout: 300_000,
  }, async (context) => {
    if (disk === null) return context.skip('no disk whose power can be cut');
    const ports = { apiPort: await freePort(), ingestPort: await freePort() };
    const deliveries = new Map<string, Deliveries>();
    let uploads = 0;
    for (let life = 0; life < LIVES; life += 1) {
      const program = await boot(disk, ports, { syncMs: life === LIVES - 1 ? LAST_LIFE_SYNC_MS : SYNC_MS });
      const streaming = streamUntilGone(program, () => `u${uploads++}`, deliveries);
      // Each life ends at another moment of the insert cycle (linger 400 ms), and between two syncs.
      await sleep(STREAM_MS + life * 330);
      await disk.cut();
      await program.kill();
      await streaming;
      await disk.restore();
    }
    // And while it makes the store whole again.
    const outputs: string[] = [];
    for (let moment = 0; moment < CUT_STARTS; moment += 1)
      outputs.push(await cutWhileStarting(disk, ports, moment));
    const program = await boot(disk, ports);
    // On a fast machine a start that was cut had repaired the store before.
    expect([...outputs, program.output()].join('\n')).toContain('stored again');
    const answered = [...deliveries.values()].filter((delivery) => delivery.answered > 0).length;
    try {
      await untilDrained(program, answered * LINES_PER_UPLOAD);
    } finally {
      await program.stop();
    }
    expect(answered).toBeGreaterThan(LIVES);
    await expectStoreToHold(deliveries, dataDirOf(disk));
    // Torn parts are not kept in `detached`, where no erasure would reach them.
    const files = await readdir(join(dataDirOf(disk), 'clickhouse', 'store'), { recursive: true });
    expect(files.filter((file) => /\/detached\/[^/]+$/.test(file))).toEqual([]);
  });
});

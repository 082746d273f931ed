import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { z } from 'zod';
import type { ClickHouse } from '../../shared/clickhouse/client.js';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  openControlPlane,
} from '../../shared/control/control-plane.js';
import { createSnapshotStore } from '../../shared/control/snapshot/snapshot-store.js';
import { openLmdbEventLog } from '../../shared/event-log/lmdb/lmdb-event-log.js';
import { createLogger } from '../../shared/log.js';
import { writeControlEvents } from './control-events.js';
import { withEngine } from './engine/with-engine.js';
import { cpuSecondsOf } from './pipeline/process-cpu.js';
import { treeOf } from './process-memory.js';
import { figure } from './statistics.js';

/**
 * `npx tsx test/bench/restart.ts`: a start of the control plane that folds the whole log beside one from a snapshot of
 * it, and what taking that snapshot costs the running process. Nearly every event of this log makes a row, which is the
 * hardest case for a snapshot: its cost goes by the rows, that of a fold by the events.
 */

const { events } = new Command('restart')
  .option('--events <n>', 'events in the log', Number, 1_000_000)
  .parse()
  .opts<{ events: number }>();

/** So that what is measured next does not carry what went before. */
const QUIET_MS = 500;
const STARTS = 3;

const logger = createLogger('warn', 'bench');
const folder = await mkdtemp(join(tmpdir(), 'loglane-restart-'));
try {
  await withEngine(join(folder, 'clickhouse'), run);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run(clickhouse: ClickHouse): Promise<void> {
  const directory = join(folder, 'log');
  const log = await openLmdbEventLog({ directory, partitions: 1, maxBytes: 16 * 1024 ** 3, now: Date.now });
  const { readNewest, write } = createSnapshotStore(clickhouse, logger);
  const open = (wishes: Partial<ControlPlaneOptions> = {}) =>
    openControlPlane({
      log,
      now: Date.now,
      randomBytes,
      logger,
      onCrash(error) {
        throw error;
      },
      ...wishes,
    });
  const records = await writeControlEvents(log, events);
  print('events, records', `${figure(events)}, ${figure(records)}`);

  await measureStarts('start from the first record, s', open);
  let finish = () => {};
  const written = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const snapshots: ControlPlaneOptions['snapshots'] = {
    readNewest,
    write: (snapshot) => write(snapshot).finally(finish),
  };
  // Due with the next record.
  const control = await open({ snapshots, snapshotEvery: records + 1 });
  await measureSnapshot(control, written);
  await control.close();
  print('  text, MB; on disk, MB; parts', await sizeOf(clickhouse));
  await measureStarts('start from the snapshot, s', () => open({ snapshots: { readNewest } }));
  await log.close();
}

async function measureStarts(what: string, open: () => Promise<ControlPlane>): Promise<void> {
  const seconds: number[] = [];
  const cpuSeconds: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    await sleep(QUIET_MS);
    const [startedAt, cpu] = [performance.now(), cpuOfTree()];
    const control = await open();
    seconds.push((performance.now() - startedAt) / 1_000);
    cpuSeconds.push(cpuOfTree() - cpu);
    await control.close();
  }
  print(what, seconds.map(figure).join(' '));
  print("  CPU, the engine's included, s", cpuSeconds.map(figure).join(' '));
}

async function measureSnapshot(control: ControlPlane, written: Promise<void>): Promise<void> {
  await sleep(QUIET_MS);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [startedAt, cpu] = [performance.now(), cpuOfTree()];
  await control.execute({ type: 'createOrganisation', name: 'Last' }, 'admin');
  await written;
  print('snapshot written in, s', figure((performance.now() - startedAt) / 1_000));
  print("  CPU, the engine's included, s", figure(cpuOfTree() - cpu));
  const [longest, usual] = [delay.max, delay.percentile(99)].map((ns) => figure(ns / 1e6));
  print('  longest pause, 99th percentile, ms', `${longest}, ${usual}`);
}

/** Seconds that this process and the engine's have used: what other programs on the machine do not change. */
function cpuOfTree(): number {
  return treeOf(process.pid).reduce((sum, pid) => sum + (cpuSecondsOf(pid) || 0), 0);
}

async function sizeOf(clickhouse: ClickHouse): Promise<string> {
  const [row] = await clickhouse.read({
    name: 'bench.snapshot',
    sql: `SELECT sum(data_uncompressed_bytes) / 1e6 AS text, sum(bytes_on_disk) / 1e6 AS disk, sum(rows) AS parts
          FROM system.parts WHERE table = 'control_snapshots' AND active`,
    params: {},
    row: z.object({ text: z.number(), disk: z.number(), parts: z.number() }),
  });
  return row === undefined ? 'none' : `${figure(row.text)}; ${figure(row.disk)}; ${figure(row.parts)}`;
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(42)} ${value}`);
}

import { execFile } from 'node:child_process';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import pino from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openControlLog } from '../../deploy/admin/instance/open-control-log.js';
import { joinGroup } from '../../deploy/embedded/group-member.js';
import { loadConfig } from '../../shared/config.js';
import type { Deliveries } from '../harness/every-row-once.js';
import { freePort } from '../harness/free-port.js';
import { startTestKafka } from '../harness/kafka.js';
import { LINES_PER_UPLOAD, linesOf, sendUpload } from '../harness/request-stream.js';
import { startStandalone } from '../harness/standalone.js';
import { expectStoreToHold, streamUntilGone, untilDrained } from '../harness/stream-until-gone.js';

/** Several ranges. */
const STREAMED_ROWS = 2_000;
const run = promisify(execFile);
const kafka = await startTestKafka();
afterAll(() => kafka?.stop());

describe.each(kafka ? ['embedded', 'kafka'] : ['embedded'])('after a restore, on the %s log', (form) => {
  let dataDir: string;
  let environment: Record<string, string>;
  let ports: { apiPort: number; ingestPort: number };
  let deliveries: Map<string, Deliveries>;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'loglane-resume-'));
    deliveries = new Map();
    ports = { apiPort: await freePort(), ingestPort: await freePort() };
    environment = { EVENT_LOG_PARTITIONS: '3', METRICS_PORT: String(await freePort()) };
    if (form === 'kafka') {
      environment.KAFKA_BROKERS = kafka!.brokers;
      environment.KAFKA_TOPIC_PREFIX = `${dataDir.slice(-6)}.`;
      environment.KAFKA_REPLICATION_FACTOR = '1';
    }
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const start = () => startStandalone({ dataDir, ...ports, environment });
  const answeredRows = () =>
    [...deliveries.values()].filter(({ answered }) => answered > 0).length * LINES_PER_UPLOAD;

  async function streamAndKill(): Promise<void> {
    const program = await start();
    let uploads = 0;
    const streaming = streamUntilGone(program, () => `later${uploads++}`, deliveries);
    const stored = answeredRows();
    await untilDrained(program, stored + STREAMED_ROWS);
    await program.kill();
    await streaming;
  }

  async function sendAndStore(): Promise<void> {
    const program = await start();
    for (let upload = 0; upload < 30; upload += 1) {
      expect(await sendUpload(program.credentials, linesOf(`first${upload}`))).toBe(LINES_PER_UPLOAD);
      deliveries.set(`first${upload}`, { sent: 1, answered: 1 });
    }
    await untilDrained(program, answeredRows());
    expect(await program.stop()).toBe(0);
  }

  async function resume() {
    const words = ['--import', 'tsx', 'deploy/admin/main.ts', 'log', 'resume-from-store', '--json'];
    const { stdout } = await run(process.execPath, words, {
      env: { ...process.env, ...environment, DATA_DIR: dataDir },
      timeout: 60_000,
    });
    return JSON.parse(stdout) as { partition: number; from: number | null; to: number; end: number }[];
  }

  async function expectAllOnce(): Promise<void> {
    const program = await start();
    await untilDrained(program, answeredRows());
    expect(await program.stop()).toBe(0);
    await expectStoreToHold(deliveries, dataDir);
  }

  /** Deletes the group's commits, or resets them to the start if the log can not delete them alone. */
  async function loseCommits(): Promise<void> {
    if (form === 'kafka') {
      const client = new Kafka({ brokers: kafka!.brokers.split(','), logLevel: logLevel.NOTHING });
      const admin = client.admin();
      await admin.connect();
      await admin.deleteGroups([`${environment.KAFKA_TOPIC_PREFIX}enricher`]);
      await admin.disconnect();
      return;
    }
    const log = await openControlLog(
      loadConfig({ DATA_DIR: dataDir, ...environment }),
      pino({ level: 'silent' }),
    );
    const member = await joinGroup(log, { group: 'enricher', maxBytes: 1, onCrash: () => {} });
    for (const partition of member.owned()) await member.commit(partition, { offset: 0, metadata: '' });
    await member.stop();
    await log.close();
  }

  test('an older store gets every row once', { timeout: 240_000 }, async () => {
    await sendAndStore();
    await cp(join(dataDir, 'clickhouse'), join(dataDir, 'older'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await streamAndKill();
    await rm(join(dataDir, 'clickhouse'), { recursive: true });
    await rename(join(dataDir, 'older'), join(dataDir, 'clickhouse'));
    const positions = await resume();
    expect(positions).toHaveLength(3);
    expect(positions.some(({ from, to }) => to < from!)).toBe(true);
    await expectAllOnce();
  });

  test('a group that lost its offsets stores no row twice', { timeout: 240_000 }, async () => {
    await sendAndStore();
    await loseCommits();
    const positions = await resume();
    expect(positions.every(({ from, to, end }) => (from ?? 0) === 0 && to === end)).toBe(true);
    await expectAllOnce();
  });

  test('while the program runs it is refused', { timeout: 120_000 }, async () => {
    const program = await start();
    await expect(resume()).rejects.toThrow(/in use|still has members/);
    expect(await program.stop()).toBe(0);
  });
});

import pino from 'pino';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { eraseAddress } from '../../deploy/admin/rows/erase-rows.js';
import { forgetDays } from '../../deploy/admin/rows/forget-days.js';
import { createReclassify } from '../../deploy/admin/server/reclassify.js';
import { unknownVersions } from '../../services/api/answer-cache/data-versions.js';
import { createApi } from '../../services/api/app.js';
import { createArrivalGatherer } from '../../services/enricher/sink/range/gather-arrivals.js';
import { changesBesideRows, type DataChange } from '../../shared/changes/data-change.js';
import { watchWrites } from '../../shared/changes/watch-writes.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/durations.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { createTestApi, TEST_NOW, uncounted } from '../harness/api.js';
import type { TestClickHouse } from '../harness/clickhouse.js';
import { createMemoryEventLog } from '../harness/memory-event-log.js';
import { requestTables } from '../harness/stored-contents.js';
import { insertStored, type StoredRequest } from '../harness/stored-requests.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';
import { asker, createFollower, createWriter, scanRequests } from './changing-world.js';
import { laterVerdicts, NOW, randomRequests, type Verdict } from './random-requests.js';

/** A website whose rows change in every way, for changing-rows.int.test.ts. */

/** The random rows are dated before `NOW`; this clock begins whole days later. */
const SHIFT = Math.ceil((TEST_NOW - NOW) / DAY_MS) * DAY_MS;
/** The time of the first question. */
export const BEGIN = NOW + SHIFT;
const logger = pino({ level: 'silent' });

/** Each change of a run. */
export const kinds = [
  ...['late', 'now', 'late', 'fewVerdicts', 'manyVerdicts', 'address', 'day', 'judgement', 'expiry'],
  ...['minutes', 'hours', 'restart', 'silence', 'late', 'hearing', 'lostRecords', 'killedWriter'],
] as const;
export type Kind = (typeof kinds)[number];

let ids = 0;

/** A reader whose answers can wait after the store has given them. */
function holdable(store: ClickHouseReader) {
  let released: Promise<void> = Promise.resolve();
  const reader: ClickHouseReader = {
    async read(query) {
      const rows = await store.read(query);
      await released;
      return rows;
    },
  };
  return {
    reader,
    /** @returns releases the answers */
    holdAnswers(): () => void {
      let release = () => {};
      released = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}

/** @param seed of the random rows */
export async function openRun(engine: TestClickHouse, seed: number) {
  let seeds = seed;
  const tables = await requestTables(engine.clickhouse);
  for (const table of tables) await engine.clickhouse.command(`SYSTEM STOP TTL MERGES ${table}`);
  const opened = await createTestApi({ clickhouse: engine.clickhouse, readDeadlineMs: HOUR_MS });
  opened.advance(BEGIN - opened.options.now());
  const { reader, holdAnswers } = holdable(engine.clickhouse);
  const options = { ...opened.options, services: { ...opened.options.services, reader, usage: uncounted } };
  const { now } = options;
  const websiteId = opened.website.id;
  const key = opened.keys.read;
  const writer = createWriter(options, key);
  const follower = createFollower(options, key, opened.advance);
  const raise = (changes: readonly DataChange[]) => {
    writer.raise(changes);
    follower.raise(changes);
  };
  const watched = watchWrites(engine.clickhouse, raise);

  async function insert(requests: readonly StoredRequest[], retentionDays = 25_000, receivedAt = now()) {
    ids += 1;
    const rows = requests.map((row) => ({ ...row, received_at: receivedAt, log_offset: ids }));
    await insertStored(watched, rows, { deduplicationToken: `rows-${ids}`, retentionDays });
    // As the enricher reports them.
    const gatherer = createArrivalGatherer(now());
    gatherer.add({
      ...{ websiteId, receivedAt, hasPendingClaims: true },
      timestamp: Float64Array.from(rows, ({ timestamp }) => timestamp),
      rows: Uint32Array.from(rows, (_, index) => index),
    });
    raise(gatherer.changes());
  }
  const random = (count: number) =>
    randomRequests(websiteId, count, seeds++).map((row) => ({ ...row, timestamp: row.timestamp + SHIFT }));
  const fresh = () =>
    asker(createApi({ ...options, dataVersions: unknownVersions, registry: new Registry() }), key);
  const rows = () => scanRequests(engine.clickhouse, websiteId);
  return {
    opened,
    websiteId,
    writer,
    follower,
    raise,
    holdAnswers,
    unwatched: engine.clickhouse,
    store: watched,
    tables,
    insert,
    random,
    fresh,
    rows,
    now,
  };
}
export type Run = Awaited<ReturnType<typeof openRun>>;

/** Rows whose retention is over by the engine's own clock, and old enough by the clock of the run. */
export function insertExpiring(run: Run): Promise<void> {
  const old = run.random(800).filter(({ timestamp }) => timestamp < run.now() - 31 * DAY_MS);
  return run.insert(old, 30, Date.now() - 40 * DAY_MS);
}

async function decide(
  run: Run,
  most: number,
  statusOf: (status: Verdict['status']) => Verdict['status'],
): Promise<void> {
  const { websiteId, raise } = run;
  const verdicts = laterVerdicts(await run.rows())
    .slice(0, most)
    .map(({ bot_family: family, client_ip: clientIp, status }) => ({
      ...{ websiteId, family, clientIp, status: statusOf(status), decidedAt: run.now() },
    }));
  await insertVerdicts(run.store, verdicts, `verdicts-${ids++}`);
  raise(changesBesideRows(verdicts));
}

const erasure = { newId: () => `attempt-${ids++}`, logger };

export const changes: Record<Kind, (run: Run) => Promise<unknown> | unknown> = {
  late: (run) => run.insert(run.random(60)),
  now: (run) =>
    run.insert(
      run.random(30).map((row, index) => ({ ...row, timestamp: run.now() - index * 7 * SECOND_MS })),
    ),
  fewVerdicts: (run) => decide(run, 40, (status) => (status === 'verified' ? 'spoofed' : 'verified')),
  manyVerdicts: (run) => decide(run, 10_000, (status) => status),
  async address(run) {
    const { client_ip: address } = (await run.rows())[0]!;
    await eraseAddress(run.store, { address, websiteId: run.websiteId }, erasure);
  },
  async day(run) {
    const day = new Date(run.now() - DAY_MS).toISOString().slice(0, 10);
    const days = { websiteId: run.websiteId, from: day, to: day, source: null, receivedBy: run.now() };
    await forgetDays(run.store, days, erasure);
  },
  async judgement(run) {
    const day = new Date(run.now()).toISOString().slice(0, 10);
    const reclassify = createReclassify({
      ...{ control: run.opened.control, clickhouse: run.store, log: createMemoryEventLog(1), now: run.now },
      ...{ withInsertsHeld: (work) => work(), ...erasure },
    });
    const [report] = await reclassify({ websiteId: run.websiteId, from: day, to: day });
    expect(report!.changed).toBeGreaterThan(0);
  },
  async expiry(run) {
    // Not watched: the engine removes rows without a notification.
    for (const table of run.tables) {
      await run.unwatched.command(`SYSTEM START TTL MERGES ${table}`);
      await run.unwatched.command(`OPTIMIZE TABLE ${table} FINAL`);
      await run.unwatched.command(`SYSTEM STOP TTL MERGES ${table}`);
    }
    run.opened.advance(11 * MINUTE_MS);
  },
  minutes: (run) => run.opened.advance(3 * MINUTE_MS),
  hours: (run) => run.opened.advance(HOUR_MS + 7 * MINUTE_MS),
  restart(run) {
    run.writer.restart();
    run.follower.restart();
  },
  silence: (run) => run.follower.hear(false),
  hearing: (run) => run.follower.hear(true),
  async lostRecords(run) {
    await run.insert(run.random(60));
    run.follower.loseRecords();
  },
  async killedWriter(run) {
    await insertStored(
      run.unwatched,
      run.random(60).map((row) => ({ ...row, received_at: run.now(), log_offset: ++ids })),
      { deduplicationToken: `rows-${ids}`, retentionDays: 25_000 },
    );
    run.follower.killWriter();
    // The other process did not hear of these rows either.
    run.writer.restart();
  },
};

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../deploy/demo/traffic/random.js';
import { openControlPlane } from '../../shared/control/control-plane.js';
import { openKeyRing } from '../../shared/control/sealing/key-ring.js';
import { DAY_MS, SECOND_MS } from '../../shared/durations.js';
import { createLogger } from '../../shared/log.js';
import { CLUSTER_START_MS, type Cluster, startCluster } from './cluster.js';
import { filesOf, type JobKind, jobKinds } from './job-kinds.js';
import {
  createJobWebsites,
  deliveriesOf,
  type JobWebsite,
  type JobWorld,
  type Receivers,
  startReceivers,
} from './job-world.js';

/** `npm run test:faults` has each kind of job killed 50 times here; the suite itself once. */
const KILLS = Math.ceil(Number(process.env.FAULT_ROUNDS ?? 1) / 2);
/** A process that hangs takes its time. */
const HANGS = Math.ceil(KILLS / 10);
/** Not every kill meets every kind. */
const MOST_KILLS = 3 * KILLS + 3;
const ROUNDS = 1 + MOST_KILLS + HANGS;
const SEED = process.env.FAULT_SEED ?? String(Date.now());
const ROUND_MS = 60_000;
/** What waits for the next look, or for the session of who was killed. */
const DONE_WITHIN = { timeout: 90_000, interval: 250 };
/** Of each piece of what the store is told and answers: jobs last long enough to be killed in their middle. */
const STORE_DELAY_MS = 50;

const kinds = jobKinds.filter(({ name }) => name.includes(process.env.FAULTS ?? ''));

let cluster: Cluster | null = null;
let receivers: Receivers;
let files: string;
let world: JobWorld;
const websites = new Map<JobKind, readonly JobWebsite[]>();
const random = createRandom(SEED);

beforeAll(async () => {
  receivers = await startReceivers();
  files = await mkdtemp(join(tmpdir(), 'loglane-job-files-'));
  cluster = await startCluster({
    always: [],
    // Ingest and the API lend their addresses, and do not run.
    visitors: ['ingest', 'api-1', 'jobs-1', 'jobs-2'],
    mains: { jobs: 'test/faults/jobs-main' },
    environment: {
      FILES_DIR: files,
      FETCH_WEBSITES: 'true',
      TEST_WEBSITES_PORT: String(receivers.websitesPort),
      SMTP_URL: receivers.smtpUrl,
      MAIL_FROM: 'Loglane <alerts@loglane.example>',
    },
  });
  if (cluster === null) return;
  const log = await cluster.openLog();
  const given = {
    log,
    randomBytes,
    now: Date.now,
    logger: createLogger('silent', 'test'),
    onCrash: () => {},
  };
  const ring = await openKeyRing(given);
  const control = await openControlPlane({ ...given, ring });
  world = { cluster, log, ring, control, receivers, files };
}, CLUSTER_START_MS);
afterAll(async () => {
  await world?.control.close();
  await world?.ring.close();
  await world?.log.close();
  await cluster?.shutDown();
  await receivers?.close();
  await rm(files, { recursive: true, force: true });
});

/** Plays rounds in each of which every kind of job is begun on a website of its own. */
function createRounds() {
  let round = -1;
  const reference = new Map<JobKind, unknown>();
  /** Of each kind, from when a worker was at it until it was done. */
  const durations = new Map<JobKind, number>();
  /** How often each message may have come twice: it had come and was not recorded yet when its process ended. */
  const mayRepeat = new Map<string, number>();
  const websiteOf = (kind: JobKind, at = round) => websites.get(kind)![at]!;

  async function untilBegun(kind: JobKind): Promise<void> {
    const deadline = Date.now() + DONE_WITHIN.timeout;
    while (!(await kind.hasBegun(world, websiteOf(kind)))) {
      if (Date.now() > deadline) throw new Error(`${kind.name} is not begun`);
      await sleep(10);
    }
  }

  return {
    durations,
    count: () => round,
    /** Begins a job of each kind, `last` behind the others. */
    async begin(last: JobKind): Promise<void> {
      round += 1;
      world.cluster.clickhouseProxy.slow(STORE_DELAY_MS);
      await Promise.all(
        kinds.map((kind) => (kind === last ? undefined : kind.begin(world, websiteOf(kind)))),
      );
      await last.begin(world, websiteOf(last));
    },
    /** The round that nothing disturbs: what the others are held against. */
    async learn(): Promise<void> {
      await Promise.all(
        kinds.map(async (kind) => {
          await untilBegun(kind);
          const begun = performance.now();
          const result = () => kind.result(world, websiteOf(kind));
          await expect.poll(result, { message: kind.name, ...DONE_WITHIN }).toMatchObject(kind.done);
          durations.set(kind, performance.now() - begun);
          reference.set(kind, await result());
        }),
      );
    },
    /** Some moment while a worker is at it. */
    async middleOf(kind: JobKind): Promise<void> {
      await untilBegun(kind);
      await sleep(durations.get(kind)! * random.next());
    },
    /** After a process has ended. @returns the kinds that had begun and were not done. */
    async open(): Promise<readonly JobKind[]> {
      world.cluster.clickhouseProxy.pass();
      // What was on its way has come.
      await sleep(SECOND_MS / 2);
      const copies = receivers.copies();
      for (const kind of kinds)
        for (const { delivery_id: id, status } of await deliveriesOf(world, websiteOf(kind)))
          if (status === 'pending' && copies.has(id)) mayRepeat.set(id, (mayRepeat.get(id) ?? 0) + 1);
      const open = await Promise.all(
        kinds.map(async (kind) => {
          const own = websiteOf(kind);
          if (!(await kind.hasBegun(world, own))) return [];
          return isDeepStrictEqual(await kind.result(world, own), reference.get(kind)) ? [] : [kind];
        }),
      );
      return open.flat();
    },
    /** Of this round, or of all. */
    async expectOneResult(from = round): Promise<void> {
      for (let at = from; at <= round; at += 1)
        for (const kind of kinds)
          await expect
            .poll(() => kind.result(world, websiteOf(kind, at)), {
              message: `${kind.name} of round ${at}`,
              ...DONE_WITHIN,
            })
            .toEqual(reference.get(kind));
      const repeats = [...receivers.copies()].map(([id, copies]) => [id, copies - 1] as const);
      for (const [id, more] of repeats)
        expect([id, more]).toEqual([id, Math.min(more, mayRepeat.get(id) ?? 0)]);
    },
    repeats: () => [...receivers.copies().values()].reduce((sum, copies) => sum + copies - 1, 0),
  };
}

/** A day later, as its files have it, nothing is left but what completed exports have. */
async function expectNoOrphans(): Promise<void> {
  const exporting = kinds.flatMap((kind) => (kind.name === 'export' ? websites.get(kind)! : []));
  const longAgo = new Date(Date.now() - 2 * DAY_MS);
  const { stored } = await filesOf(world, exporting);
  for (const path of stored) await utimes(path, longAgo, longAgo);
  await expect
    .poll(async () => {
      const found = await filesOf(world, exporting);
      return found.stored.filter((path) => !found.wanted.includes(path));
    }, DONE_WITHIN)
    .toEqual([]);
  const { stored: left, wanted } = await filesOf(world, exporting);
  expect(left).toEqual(wanted);
}

test(`a worker is killed in the middle of each kind of job, ${KILLS} times, or hangs: one result, one message (FAULT_SEED=${SEED})`, {
  timeout: CLUSTER_START_MS + ROUNDS * ROUND_MS,
}, async (context) => {
  const running = cluster;
  if (running === null) return context.skip('no Kafka broker can be had');
  if (kinds.length === 0) return context.skip('FAULTS picks others');
  const jobs = ['robots', 'sitemaps', 'page_importance', 'checks'];
  for (const kind of kinds) {
    const name = kind.name.replaceAll(/[^a-z]+/g, '-');
    const own = await createJobWebsites(world, { name, count: ROUNDS, jobs });
    websites.set(kind, own);
    await kind.prepare?.(world, own);
  }
  await running.start('jobs-1');
  const rounds = createRounds();
  await rounds.begin(kinds[0]!);
  await rounds.learn();
  console.info([...rounds.durations].map(([{ name }, ms]) => `${name}: ${Math.round(ms)} ms`).join(', '));

  const met = new Map(kinds.map((kind) => [kind, 0]));
  const rarest = () => kinds.toSorted((one, other) => met.get(one)! - met.get(other)!)[0]!;
  let kills = 0;
  while (kills < MOST_KILLS && met.get(rarest())! < KILLS) {
    const aim = rarest();
    await rounds.begin(aim);
    await rounds.middleOf(aim);
    await running.kill('jobs-1');
    kills += 1;
    const open = await rounds.open();
    for (const kind of open) met.set(kind, met.get(kind)! + 1);
    await running.start('jobs-1');
    await rounds.expectOneResult();
    console.info(`kill ${kills}: in the middle of ${open.map(({ name }) => name).join(', ') || 'nothing'}`);
  }
  console.info([...met].map(([{ name }, count]) => `${name}: ${count} kills`).join(', '));
  expect(met.get(rarest())).toBeGreaterThanOrEqual(KILLS);

  await running.start('jobs-2');
  for (let hang = 1; hang <= HANGS; hang += 1) {
    const [hung] = hang % 2 === 0 ? ['jobs-1'] : ['jobs-2'];
    const aim = kinds[hang % kinds.length]!;
    await rounds.begin(aim);
    await rounds.middleOf(aim);
    process.kill(running.pidOf(hung!), 'SIGSTOP');
    const open = await rounds.open();
    await sleep(8_000 + 4_000 * random.next());
    process.kill(running.pidOf(hung!), 'SIGCONT');
    await rounds.expectOneResult();
    console.info(`hang ${hang}: in the middle of ${open.map(({ name }) => name).join(', ') || 'nothing'}`);
  }
  await rounds.expectOneResult(0);
  await expectNoOrphans();
  console.info(`${kills} kills, ${HANGS} hangs, ${rounds.repeats()} messages came twice`);
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../deploy/demo/traffic/random.js';
import { websiteJobs } from '../../services/jobs/all-jobs.js';
import { openControlPlane } from '../../shared/control/control-plane.js';
import { openKeyRing } from '../../shared/control/sealing/key-ring.js';
import { SECOND_MS } from '../../shared/durations.js';
import { INSIGHTS } from '../../shared/jobs/job-request.js';
import { createLogger } from '../../shared/logging/log.js';
import { CLUSTER_START_MS, type Cluster, startCluster } from './cluster.js';
import type { JobKind } from './job-kinds/job-kind.js';
import { jobKinds } from './job-kinds/list.js';
import { createRounds, expectNoOrphans, type JobRounds } from './job-rounds.js';
import {
  createJobWebsites,
  type JobWebsite,
  type JobWorld,
  type Receivers,
  startReceivers,
} from './job-world.js';
import { TOKENS_A_DAY } from './model.js';

/** `npm run test:faults` kills each kind of job 50 times here; the suite itself once. */
const KILLS = Math.ceil(Number(process.env.FAULT_ROUNDS ?? 1) / 2);
const HANGS = KILLS === 1 ? 0 : Math.ceil(KILLS / 6);
/** Not every kill hits every kind. The suite itself has no time for more kills, so there it is not required. */
const MOST_KILLS = KILLS === 1 ? 1 : 2 * KILLS + 5;
const ROUNDS = 1 + MOST_KILLS + HANGS;
const SEED = process.env.FAULT_SEED ?? String(Date.now());
const ROUND_MS = 60_000;

const kinds = jobKinds.filter(({ name }) => name.includes(process.env.FAULTS ?? ''));

let cluster: Cluster | null = null;
let receivers: Receivers;
let files: string;
let world: JobWorld;
const random = createRandom(SEED);

beforeAll(async () => {
  receivers = await startReceivers();
  files = await mkdtemp(join(tmpdir(), 'loglane-job-files-'));
  cluster = await startCluster({
    always: [],
    // Ingest and the API only provide their addresses, and do not run.
    visitors: ['ingest', 'api-1', 'jobs-1', 'jobs-2'],
    mains: { jobs: 'test/faults/jobs-main' },
    environment: {
      FILES_DIR: files,
      FETCH_WEBSITES: 'true',
      CRAWL_REQUESTS_PER_SECOND: '40',
      TEST_WEBSITES_PORT: String(receivers.websitesPort),
      INSIGHTS_URL: receivers.modelUrl,
      INSIGHTS_MODEL: 'model-of-the-test',
      INSIGHTS_TOKENS_PER_DAY: String(TOKENS_A_DAY),
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

/** One website of each kind for every round, ready for its job. Days of a schedule are due as soon as it exists. */
async function createWebsites(): Promise<Map<JobKind, readonly JobWebsite[]>> {
  const parts = { fetches: true, days: null, isAlerted: () => false, sendAlerts: async () => {} };
  const jobs = [...websiteJobs(parts).map(({ name }) => name), INSIGHTS];
  const websites = new Map<JobKind, readonly JobWebsite[]>();
  for (const kind of kinds) {
    const name = kind.name.replaceAll(/[^a-z]+/g, '-');
    const own = await createJobWebsites(world, { name, count: ROUNDS, jobs });
    await kind.prepare?.(world, own);
    websites.set(kind, own);
  }
  return websites;
}

const namesOf = (open: readonly JobKind[]) => open.map(({ name }) => name).join(', ') || 'nothing';

/** Kills the only worker until each kind was hit in its middle often enough. @returns the number of kills */
async function playKills(rounds: JobRounds): Promise<number> {
  const met = new Map(kinds.map((kind) => [kind, 0]));
  const rarest = () => kinds.toSorted((one, other) => met.get(one)! - met.get(other)!)[0]!;
  const fewest = () => met.get(rarest())!;
  let kills = 0;
  while (kills < MOST_KILLS && fewest() < KILLS) {
    const began = performance.now();
    await rounds.beginToMiddle(rarest());
    await world.cluster.kill('jobs-1');
    kills += 1;
    const open = await rounds.open();
    for (const kind of open) met.set(kind, met.get(kind)! + 1);
    await world.cluster.start('jobs-1');
    await rounds.expectOneResult();
    const seconds = Math.round((performance.now() - began) / SECOND_MS);
    console.info(`kill ${kills}, ${seconds} s: in the middle of ${namesOf(open)}`);
  }
  console.info([...met].map(([{ name }, count]) => `${name}: ${count} kills`).join(', '));
  if (KILLS > 1) expect(fewest()).toBeGreaterThanOrEqual(KILLS);
  return kills;
}

/** Pauses the only worker until another one has done its work, then resumes it: alternately during an e-mail and at a random time. */
async function playHangs(rounds: JobRounds): Promise<void> {
  for (let hang = 1; hang <= HANGS; hang += 1) {
    const [hung, other] = hang % 2 === 1 ? (['jobs-1', 'jobs-2'] as const) : (['jobs-2', 'jobs-1'] as const);
    const pid = world.cluster.pidOf(hung);
    const stop = () => process.kill(pid, 'SIGSTOP');
    if (hang % 2 === 1) {
      const asked = receivers.nextRecipient(stop);
      await rounds.begin();
      await asked;
    } else {
      await rounds.beginToMiddle(kinds[hang % kinds.length]!);
      stop();
    }
    const open = await rounds.open();
    await world.cluster.start(other);
    await rounds.expectOneResult();
    process.kill(pid, 'SIGCONT');
    await sleep(2 * SECOND_MS);
    await rounds.expectOneResult();
    await world.cluster.kill(hung);
    console.info(
      `hang ${hang}: in the middle of ${namesOf(open)}; ${rounds.repeats()} messages came twice so far`,
    );
  }
}

test(`a worker is killed in the middle of each kind of job, ${KILLS} times, or hangs: one result, one message (FAULT_SEED=${SEED})`, {
  timeout: CLUSTER_START_MS + ROUNDS * ROUND_MS,
}, async (context) => {
  if (cluster === null) return context.skip('no Kafka broker can be had');
  if (kinds.length === 0) return context.skip('FAULTS picks others');
  const websites = await createWebsites();
  await cluster.start('jobs-1');
  const rounds = createRounds(world, { websites, draw: () => random.next() });
  await rounds.learn();
  const lines = [...rounds.middles].map(
    ([{ name }, { from, to }]) => `${name}: ${Math.round(from)} to ${Math.round(to)} ms`,
  );
  console.info(lines.join(', '));
  const kills = await playKills(rounds);
  await playHangs(rounds);
  await rounds.expectOneResult(0);
  await expectNoOrphans(world, websites);
  console.info(`${kills} kills, ${HANGS} hangs, ${rounds.repeats()} messages came twice`);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../deploy/demo/traffic/random.js';
import { DETECTOR_GROUP } from '../../shared/event-log/consumer-groups.js';
import { startSmtpServer, type TestSmtpServer } from '../harness/jobs/smtp-server.js';
import { alertFaults, mostRepeatsOf } from './alert-faults.js';
import { CLUSTER_START_MS, type Cluster, startCluster } from './cluster.js';
import { createFaultBag } from './fault-bag.js';
import { expectEachIncidentOnce, sendArrivalsAgain } from './found-alerts.js';
import {
  type AttackedWebsite,
  type Audience,
  createAudience,
  createWebsites,
  sendLogs,
} from './incidents.js';
import { expectAllReady, untilCaughtUp } from './settle.js';

/** `npm run test:faults` runs 20 rounds here; the suite itself one. */
const ROUNDS = Math.ceil(Number(process.env.FAULT_ROUNDS ?? 1) / 5);
const SEED = process.env.FAULT_SEED ?? String(Date.now());
const FAULTS_A_ROUND = 2;
/** Each website is in its own partition, or nearly. */
const WEBSITES = 6;
/** Alerts follow about 45 s after the last upload. */
const ROUND_MS = 420_000;

let cluster: Cluster | null = null;
let smtp: TestSmtpServer;
let audience: Audience;
const random = createRandom(SEED);
const draw = () => random.next();
/** Websites of all rounds: a later owner of a partition must not report an incident again. */
const attacked: AttackedWebsite[] = [];
let mostRepeats = 0;

beforeAll(async () => {
  smtp = await startSmtpServer();
  cluster = await startCluster({
    always: ['ingest', 'api-1', 'api-2', 'enricher-1', 'detector-1', 'detector-2', 'jobs-1', 'jobs-2'],
    visitors: ['detector-3'],
    environment: { SMTP_URL: smtp.url, MAIL_FROM: 'Loglane <alerts@loglane.example>' },
  });
  if (cluster !== null) audience = await createAudience(cluster);
}, CLUSTER_START_MS);
afterAll(async () => {
  await cluster?.shutDown();
  await smtp?.close();
});

/** Attacks new websites, runs `work` meanwhile, and expects each incident of all websites once. */
async function playRound(running: Cluster, name: string, work: () => Promise<unknown>): Promise<void> {
  const websites = await createWebsites(running, audience, { name, count: WEBSITES });
  attacked.push(...websites);
  await Promise.all([Promise.all(websites.map((website) => sendLogs(running, website))), work()]);
  await untilCaughtUp(running);
  await expectAllReady(running);
  const repeats = await expectEachIncidentOnce(running, attacked, {
    ...{ audience, mails: smtp.taken, mostRepeats },
  });
  console.info(
    `${name}: ${smtp.taken.length} messages (${repeats.mails} of them again), ${repeats.records} records of alerts again`,
  );
}

test(`each incident has one alert and one message in ${ROUNDS} rounds of faults (FAULT_SEED=${SEED})`, {
  timeout: ROUNDS * ROUND_MS,
}, async (context) => {
  const running = cluster;
  if (running === null) return context.skip('no Kafka broker can be had');
  if (!alertFaults.some(({ name }) => name.includes(process.env.FAULTS ?? '')))
    return context.skip('FAULTS picks others');
  const nextFault = createFaultBag(running, draw, () => true, alertFaults);
  const stream = { pause: async () => {}, resume() {} };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const faults = Array.from({ length: FAULTS_A_ROUND }, nextFault);
    console.info(`round ${round}: ${faults.map((fault) => fault.name).join(', ')}`);
    mostRepeats += faults.reduce((sum, fault) => sum + mostRepeatsOf(fault), 0);
    await playRound(running, `r${round}`, async () => {
      for (const fault of faults) {
        // Alerts are found, stored and sent about half a minute after the upload.
        await sleep(20_000 * draw());
        await fault.strike(running, draw, stream);
      }
    });
  }
});

test('no incident has a second alert, and no request counts twice, if all arrivals repeat and all states are lost', {
  timeout: ROUND_MS,
}, async (context) => {
  const running = cluster;
  if (running === null) return context.skip('no Kafka broker can be had');
  await running.kill('detector-1');
  await running.kill('detector-2');
  expect(await sendArrivalsAgain(running)).toBeGreaterThanOrEqual(attacked.length);
  await running.clickhouse.command('TRUNCATE TABLE detector_states');
  // A killed consumer stays a member of its group until its session ends.
  await expect
    .poll(() => running.forgetCommits(DETECTOR_GROUP).then(() => true, String), { timeout: 30_000 })
    .toBe(true);
  // New alerts follow the evaluation of all repeated arrivals.
  await playRound(running, 'again', () =>
    Promise.all([running.start('detector-1'), running.start('detector-2')]),
  );
});

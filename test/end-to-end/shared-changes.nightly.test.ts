import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { plainRequest } from '../../services/enricher/sink/plain-request.js';
import { createUnsharedChanges } from '../../shared/changes/unshared-changes.js';
import { watchWrites } from '../../shared/changes/watch-writes.js';
import { encodeRawBlock } from '../../shared/requests/columns/raw-block-codec.js';
import { shareWrites } from '../../shared/service/share-writes.js';
import { createShutdownHooks } from '../../shared/service/shutdown-hooks.js';
import { type ApiReplicas, startApiReplicas } from '../harness/api-replicas.js';
import { granted } from '../harness/control-plane.js';
import type { RunningService } from '../harness/processes.js';

/** Two API replicas and an enricher as separate processes: replicas reuse answers until another process changes the data. */

let running: ApiReplicas | null;
let enricher: RunningService;
let websiteId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  running = await startApiReplicas(2);
  if (running === null) return;
  const { control } = running;
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop', planId: 'scale' }, 'admin'),
  );
  const { website } = granted(
    await control.execute(
      { type: 'createWebsite', organisationId, domain: 'shop.example', sourceType: 'vector' },
      'admin',
    ),
  );
  const key = granted(await control.execute({ type: 'createApiKey', organisationId }, 'admin'));
  websiteId = website.id;
  headers = { authorization: `Bearer ${key.clearText}` };
  enricher = await running.startOther('enricher');
}, 240_000);
afterAll(async () => {
  await enricher?.kill();
  await running?.stop();
});

const TODAY = new Date().toISOString().slice(0, 10);

async function send(lines: number): Promise<void> {
  const requests = Array.from({ length: lines }, (_, index) =>
    plainRequest({ timestamp: Date.now() - index }),
  );
  const value = encodeRawBlock({
    website_id: websiteId,
    source: 'loglane',
    upload_id: `u${Math.random()}`,
    received_at: Date.now(),
    requests,
  });
  await running!.log.append('requests.raw', [{ key: websiteId, value }]);
}

async function total({ url }: RunningService): Promise<number> {
  const path = `/public/v1/websites/${websiteId}/status-codes?start=${TODAY}&end=${TODAY}`;
  const answer = await fetch(`${url}${path}`, { headers });
  return ((await answer.json()) as { total_requests: number }).total_requests;
}

/** The text of the metrics is updated once a second. */
const newMetrics = () => sleep(1_100);

async function runsOf({ metricsUrl }: RunningService): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(/^loglane_api_reusable_answers_total\{origin="run"\} (\d+)$/m.exec(text)![1]);
}

/** Whether an answer is reused although it is older than a second. */
async function reuses(replica: RunningService): Promise<boolean> {
  await total(replica);
  await newMetrics();
  const before = await runsOf(replica);
  await total(replica);
  await newMetrics();
  return (await runsOf(replica)) === before;
}

const everyReplica = (sum: number) =>
  Promise.all(
    running!.replicas.map((replica) =>
      vi.waitFor(async () => expect(await total(replica)).toBe(sum), { timeout: 30_000, interval: 50 }),
    ),
  );
const everyReplicaReuses = (is: boolean) =>
  Promise.all(
    running!.replicas.map((replica) =>
      vi.waitFor(async () => expect(await reuses(replica)).toBe(is), { timeout: 60_000 }),
    ),
  );

test('an insert of an enricher and an erasure of another process reach every replica', async (context) => {
  if (running === null) return context.skip('no Kafka broker can be had');
  await send(3);
  await everyReplica(3);
  await everyReplicaReuses(true);
  await send(2);
  await everyReplica(5);
  await everyReplicaReuses(true);
  const hooks = createShutdownHooks();
  const unshared = createUnsharedChanges('operator', Date.now);
  const service = { logger: pino({ level: 'silent' }), onStop: hooks.add };
  await shareWrites(service, { log: running.log, unshared });
  const store = watchWrites(running.clickhouse, unshared.add);
  for (const { table } of await tables())
    await store.command(
      `ALTER TABLE ${table} DELETE WHERE website_id = {website_id: String}`,
      {
        website_id: websiteId,
      },
      { mutations_sync: 2 },
    );
  await hooks.run();
  await everyReplica(0);
  await everyReplicaReuses(true);
}, 240_000);

async function tables() {
  const { z } = await import('zod');
  return running!.clickhouse.read({
    name: 'test.tables',
    sql: "SELECT DISTINCT table FROM system.columns WHERE database = currentDatabase() AND name = 'website_id' AND (table = 'requests' OR table LIKE '%per_hour' OR table LIKE '%per_day')",
    params: {},
    row: z.object({ table: z.string() }),
  });
}

test('a restart of an enricher changes nothing; after a kill, no replica reuses answers', async (context) => {
  if (running === null) return context.skip('no Kafka broker can be had');
  await enricher.stop();
  enricher = await running.startOther('enricher');
  await everyReplicaReuses(true);
  await enricher.kill();
  await everyReplicaReuses(false);
  enricher = await running.startOther('enricher');
  await send(4);
  await everyReplica(4);
  await everyReplicaReuses(false);
}, 240_000);

test('no replica reuses answers while the log is away', async (context) => {
  if (running?.kafka.signalBroker === undefined) return context.skip('the tests do not own the broker');
  await running.kafka.signalBroker('SIGSTOP');
  await everyReplicaReuses(false);
  await running.kafka.signalBroker('SIGCONT');
  await send(1);
  await everyReplica(5);
}, 240_000);

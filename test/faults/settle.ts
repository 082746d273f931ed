import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ENRICHER_GROUP } from '../../shared/event-log/consumer-groups.js';
import type { Cluster } from './cluster.js';

/** A new partition is consumed within a minute; a hostile upload may be hundreds of megabytes of rows. */
const PATIENCE_MS = 150_000;

/** Waits until the enrichers have no lag. @returns the duration in milliseconds. @throws after the time limit. */
export async function untilCaughtUp(cluster: Cluster, patienceMs = PATIENCE_MS): Promise<number> {
  const started = performance.now();
  const log = await cluster.openLog();
  try {
    for (;;) {
      const waiting = await lagOf(log);
      if (waiting.length === 0) return performance.now() - started;
      if (performance.now() - started > patienceMs) {
        throw new Error(
          `stuck: ${JSON.stringify(waiting)}\n${cluster.output('enricher-1')}\n${cluster.output('enricher-2')}`,
        );
      }
      await sleep(100);
    }
  } finally {
    await log.close();
  }
}

async function lagOf(log: Awaited<ReturnType<Cluster['openLog']>>) {
  // The broker may just have restarted.
  const [ends, commits] = await Promise.all([
    log.offsets('requests.raw'),
    log.committed('requests.raw', ENRICHER_GROUP),
  ]).catch(
    () =>
      [
        new Map([[-1, { oldest: 0, next: 1 }]]),
        new Map<number, { offset: number; metadata: string }>(),
      ] as const,
  );
  return [...ends]
    .filter(([, { oldest, next }]) => next > oldest)
    .map(([partition, { next }]) => ({ partition, next, commit: commits.get(partition) }))
    .filter(({ next, commit }) => commit === undefined || commit.offset !== next || commit.metadata !== '');
}

/** Every running service is ready now or soon. */
export async function expectAllReady(cluster: Cluster): Promise<void> {
  await expect.poll(() => cluster.notReady(), { timeout: 30_000 }).toEqual([]);
}

/** A website created on one API replica is known to the other, and both have equal states. */
export async function expectEqualControlStates(cluster: Cluster, domain: string): Promise<void> {
  const [first, second] = cluster.apis as [string, string];
  const headers = {
    authorization: `Bearer ${cluster.credentials.api_key}`,
    'content-type': 'application/json',
  };
  const created = await fetch(`${first}/public/v1/websites`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ domain, source_type: 'vector' }),
  });
  expect(created.status).toBe(200);
  const websitesOf = async (base: string) => (await fetch(`${base}/public/v1/websites`, { headers })).json();
  const wanted = await websitesOf(first);
  expect(JSON.stringify(wanted)).toContain(domain);
  await expect.poll(() => websitesOf(second), { timeout: 5_000 }).toEqual(wanted);
}

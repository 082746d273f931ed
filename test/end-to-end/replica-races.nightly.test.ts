import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_SEGMENTS } from '../../shared/control/aggregates/segment.js';
import { type ApiReplicas, startApiReplicas } from '../harness/api-replicas.js';
import { granted } from '../harness/control-plane.js';

/** Three API replicas on real Kafka get the same request at the same time: one of them does it. */

let running: ApiReplicas | null;
beforeAll(async () => {
  running = await startApiReplicas(3);
}, 180_000);
afterAll(() => running?.stop());

/** Its key works on every replica. */
async function createOrganisation(planId: 'free' | 'scale', domain: string) {
  const { control, replicas } = running!;
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name: domain, planId }, 'admin'),
  );
  const { website } = granted(
    await control.execute({ type: 'createWebsite', organisationId, domain }, 'admin'),
  );
  const { clearText } = granted(
    await control.execute({ type: 'createApiKey', organisationId, scope: 'read_write' }, 'admin'),
  );
  const headers = { authorization: `Bearer ${clearText}`, 'content-type': 'application/json' };
  for (const { url } of replicas) {
    while ((await fetch(`${url}/public/v1/billing`, { headers })).status === 401);
  }
  return { organisationId, websiteId: website.id, headers };
}

interface Answer {
  readonly status: number;
  readonly body: any;
}

/** The same POST to every replica at once. */
async function race(path: string, body: unknown, headers: Record<string, string>): Promise<Answer[]> {
  return Promise.all(
    running!.replicas.map(async ({ url }) => {
      const response = await fetch(`${url}/public/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    }),
  );
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

describe('of three replicas', () => {
  test('one starts the trial', async (context) => {
    if (running === null) return context.skip('no Kafka broker can be had');
    const { headers } = await createOrganisation('free', 'trial.example');
    const answers = await race('/billing/trial', { plan_id: 'starter' }, headers);
    expect(statuses(answers)).toEqual([200, 409, 409]);
    for (const { status, body } of answers)
      if (status === 409) expect(body.code).toBe('trial_used_by_organisation');
  });

  test('one saves the hundredth segment', async (context) => {
    if (running === null) return context.skip('no Kafka broker can be had');
    const { websiteId, headers } = await createOrganisation('scale', 'segments.example');
    const rules = [{ type: 'prefix' as const, value: '/' }];
    for (let index = 1; index < MAX_SEGMENTS; index++)
      granted(
        await running.control.execute(
          { type: 'createSegment', websiteId, name: `S${index}`, rules },
          'admin',
        ),
      );
    const answers = await race(`/websites/${websiteId}/segments`, { name: 'Last', rules }, headers);
    expect(statuses(answers)).toEqual([200, 409, 409]);
    for (const { url } of running.replicas) {
      const list = await fetch(`${url}/public/v1/websites/${websiteId}/segments`, { headers });
      expect(((await list.json()) as { segments: unknown[] }).segments).toHaveLength(MAX_SEGMENTS);
    }
  });

  test('one creates the object of an Idempotency-Key, and all give the same answer from then on', async (context) => {
    if (running === null) return context.skip('no Kafka broker can be had');
    const { organisationId, headers } = await createOrganisation('scale', 'idempotent.example');
    const body = { domain: 'new.example', source_type: 'vector' };
    const withKey = { ...headers, 'idempotency-key': 'one-for-all' };
    const first = await race('/websites', body, withKey);
    expect(first.some(({ status }) => status === 200)).toBe(true);
    for (const { status, body } of first)
      if (status !== 200) expect([status, body.code]).toEqual([409, 'idempotency_key_in_use']);
    // The stored answer reaches the other replicas in milliseconds.
    await sleep(1_000);
    const again = await race('/websites', body, withKey);
    expect(statuses(again)).toEqual([200, 200, 200]);
    const ids = new Set([...first, ...again].flatMap(({ body }) => body.website_id ?? []));
    expect(ids.size).toBe(1);
    expect(new Set(again.map(({ body }) => body.ingest.api_key)).size).toBe(1);
    expect(running.control.state().websites.by('organisationId', organisationId)).toHaveLength(2);
  });
});

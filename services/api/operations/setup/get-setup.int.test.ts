import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import type { UploadOutcome } from '../../../../shared/uploads/upload-outcome.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';

import { createOutcomes } from '../../../ingest/outcomes/collect-outcomes.js';
import { createKnownUploads } from '../../arrivals/known-uploads.js';

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ reader: engine.clickhouse });
});
afterAll(() => engine?.stop());

/** A new website with this number of requests received at each instant. The requests themselves are ten days older. */
async function websiteWith(domain: string, receipts: [receivedAt: number, count: number][]): Promise<string> {
  const { body } = await test.request('/public/v1/websites', { method: 'POST', body: { domain } });
  for (const [received_at, count] of receipts) {
    const rows = Array.from({ length: count }, (_, log_index) =>
      storedRequest({
        website_id: body.website_id,
        timestamp: received_at - 10 * DAY_MS,
        received_at,
        log_index,
      }),
    );
    await insertStored(engine.clickhouse, rows, { deduplicationToken: `${domain} ${received_at}` });
  }
  return body.website_id;
}

const setupOf = async (websiteId: string) =>
  (await test.request(`/public/v1/websites/${websiteId}/setup`, { key: test.keys.read })).body;

describe('GET /setup', () => {
  it('waits for the first upload and lists next steps, without the key', async () => {
    const id = await websiteWith('waiting.example', []);
    const body = await setupOf(id);
    expect(body).toMatchObject({
      website_id: id,
      domain: 'waiting.example',
      source_type: 'fastly',
      ingest: { url: 'https://ingest.example/v1/logs', header: 'X-API-Key' },
      logs: { state: 'waiting', ever_received: false, last_received_date: null, records_last_30d: 0 },
      receiving: false,
      guide_url: 'https://api.example/public/v1/docs/guides/fastly',
      checked_at: expect.stringMatching(/^2026-11-21T12:00:00/),
    });
    expect(body.next_steps.join('\n')).toContain('https://ingest.example/v1/logs');
    expect(JSON.stringify(body)).not.toMatch(/ll_[\w-]{10}/);
  });

  it('returns the quota of this hour by the plan, and its use', async () => {
    const id = await websiteWith('quota.example', []);
    test.options.services.usage.take(id, 'ingest_rows', TEST_NOW, 250);
    test.options.services.usage.take(id, 'ingest_kib', TEST_NOW, 3);
    expect((await setupOf(id)).quota).toEqual({
      rows: { limit: 250_000_000, used: 250, remaining: 249_999_750 },
      bytes: { limit: 500 * 1024 ** 3, used: 3_072, remaining: 500 * 1024 ** 3 - 3_072 },
      reset_at: '2026-11-21T13:00:00.000Z',
    });
    expect((await setupOf(test.website.id)).quota.rows.used).toBe(0);
  });

  it('is receiving if requests arrived within a day, regardless of their age', async () => {
    const id = await websiteWith('receiving.example', [
      [TEST_NOW - 23 * HOUR_MS, 3],
      [TEST_NOW - 29 * DAY_MS, 4],
      [TEST_NOW - 31 * DAY_MS, 5],
    ]);
    const body = await setupOf(id);
    expect(body.receiving).toBe(true);
    expect(body.logs).toMatchObject({
      state: 'receiving',
      ever_received: true,
      last_received_date: '2026-11-20',
      records_last_30d: 7,
    });
  });

  it('is stale if nothing arrived for longer, and recommends to check the sender', async () => {
    const id = await websiteWith('stale.example', [[TEST_NOW - 3 * DAY_MS, 2]]);
    const body = await setupOf(id);
    expect(body.receiving).toBe(false);
    expect(body.logs).toMatchObject({
      state: 'stale',
      ever_received: true,
      last_received_date: '2026-11-18',
    });
    expect(body.next_steps[0]).toContain('2026-11-18');
  });
});

describe('GET /setup about crawler claims', () => {
  const claims = async (domain: string, given: Partial<Parameters<typeof storedRequest>[0]>[]) => {
    const { body } = await test.request('/public/v1/websites', { method: 'POST', body: { domain } });
    const rows = given.map((fields, log_index) =>
      storedRequest({
        ...{ website_id: body.website_id, timestamp: TEST_NOW - HOUR_MS, received_at: TEST_NOW, log_index },
        ...{ bot_name: 'Googlebot', bot_family: 'Google', is_bot: true, traffic_class: 'search_bot' },
        verification_method: 'reverse_dns',
        ...fields,
      }),
    );
    await insertStored(engine.clickhouse, rows, { deduplicationToken: domain });
    return setupOf(body.website_id);
  };

  it('reports that reverse DNS does not answer if every claim waits for it', async () => {
    const body = await claims('unproved.example', [
      { bot_verification: 'pending' },
      { bot_verification: 'pending' },
    ]);
    expect(body.verification).toMatchObject({
      reverse_dns: 'no_answer',
      unproved_requests: 2,
      unanswered_since: '2026-11-21T11:00:00.000Z',
      waiting: [
        {
          bot_name: 'Googlebot',
          outside_ranges: true,
          requests: 2,
          addresses: 1,
          since: '2026-11-21T11:00:00.000Z',
        },
      ],
    });
    expect(body.next_steps.join('\n')).toContain('Reverse DNS has not answered: 2 requests');
  });

  it('does not call a claim suspicious if its operator publishes no addresses', async () => {
    const body = await claims('no-ranges.example', [
      { bot_verification: 'pending', bot_name: 'YandexBot', bot_family: 'Yandex' },
    ]);
    expect(body.verification.waiting).toMatchObject([{ bot_name: 'YandexBot', outside_ranges: false }]);
  });

  it('reports that it works if it decided a claim', async () => {
    const body = await claims('proved.example', [
      { bot_verification: 'pending' },
      { bot_verification: 'verified' },
    ]);
    expect(body.verification).toMatchObject({ reverse_dns: 'working', unproved_requests: 1 });
    expect(body.next_steps.join('\n')).not.toContain('Reverse DNS');
  });

  it('shows the age of the published lists, and the effect of an old one', async () => {
    const body = await claims('lists.example', [
      { verification_method: 'ranges', bot_verification: 'verified' },
    ]);
    expect(body.verification).toMatchObject({ reverse_dns: 'unused', unanswered_since: null, waiting: [] });
    expect(body.verification.oldest_list_days).toBeGreaterThanOrEqual(30);
    expect(body.verification.old_lists).toContain('openai-gptbot');
    expect(body.next_steps.join('\n')).toContain('clients outside them are unverifiable');
  });
});

describe('GET /setup of a website whose CDN hides the visitors', () => {
  const websiteOf = async (domain: string, agents: [name: string, count: number][]): Promise<string> => {
    const { body } = await test.request('/public/v1/websites', { method: 'POST', body: { domain } });
    const rows = agents.flatMap(([name, count], at) =>
      Array.from({ length: count }, (_, log_index) =>
        storedRequest({
          website_id: body.website_id,
          timestamp: TEST_NOW - 2 * HOUR_MS,
          log_offset: at,
          log_index,
          ...(name === ''
            ? {}
            : { is_bot: true, traffic_class: 'other_bot', bot_name: name, bot_family: name }),
        }),
      ),
    );
    await insertStored(engine.clickhouse, rows, { deduplicationToken: domain });
    return body.website_id;
  };

  it.each([
    ['cloudfront.example', [['Amazon CloudFront', 25]], true],
    [
      'mixed.example',
      [
        ['Amazon CloudFront', 25],
        ['', 1],
      ],
      false,
    ],
    [
      'two-bots.example',
      [
        ['Amazon CloudFront', 25],
        ['curl', 30],
      ],
      false,
    ],
    ['few.example', [['Amazon CloudFront', 5]], false],
  ] as [string, [string, number][], boolean][])('%s', async (domain, agents, isTold) => {
    const steps = (await setupOf(await websiteOf(domain, agents))).next_steps.join('\n');
    expect(/All 25 requests .* Amazon CloudFront.*User-Agent/.test(steps)).toBe(isTold);
  });
});

describe('GET /setup after uploads', () => {
  const withUploads = async (uploads: Partial<UploadOutcome>[]) => {
    const outcomes = createOutcomes({ replicaId: 'ingest-1', now: () => TEST_NOW });
    const known = createKnownUploads();
    const api = await createTestApi({ reader: engine.clickhouse, uploads: known });
    const usual = { at: TEST_NOW, kind: 'taken', source: 'haproxy', reason: '' } as const;
    for (const upload of uploads) {
      const outcome = { ...usual, accepted: 0, rejected: 0, skipped: 0, ...upload };
      const rejection = outcome.rejected > 0 ? { line: 4, reason: 'status: <b>"x"</b> is none' } : null;
      outcomes.note(api.website.id, outcome, rejection);
    }
    known.merge(outcomes.due(true)!, TEST_NOW);
    const ask = async (key: string, websiteId: string) =>
      (await api.request(`/public/v1/websites/${websiteId}/setup`, { key })).body;
    return { own: await ask(api.keys.read, api.website.id), api };
  };

  it.each([
    ['cloudfront-standard', 'aws', 'cloudfront'],
    ['vercel', 'vercel', 'vercel'],
    ['combined', 'cloudflare', 'nginx'],
  ])('uses the arriving source %s: platform %s, snippets for %s', async (source, platform, target) => {
    const { own, api } = await withUploads([{ accepted: 6, source }]);
    expect(own.source_type).toBe(platform);
    const { body } = await api.read('/recommendations/snippet?type=block_ips');
    expect(body.target).toBe(target);
  });

  it('returns accepted and rejected lines with the reason, and the guide of the recognised source', async () => {
    const { own } = await withUploads([{ accepted: 6, rejected: 3, skipped: 1 }]);
    expect(own.logs).toMatchObject({
      last_upload: {
        at: '2026-11-21T12:00:00.000Z',
        outcome: 'taken',
        source: 'haproxy',
        reason: null,
        accepted: 6,
        rejected: 3,
        skipped: 1,
      },
      last_rejection: { line: 4, reason: 'status: <b>"x"</b> is none', source: 'haproxy' },
      uploads_24h: { taken: 1, refused: 0, accepted: 6, rejected: 3, skipped: 1 },
    });
    expect(own.guide_url).toBe('https://api.example/public/v1/docs/guides/haproxy');
    expect(own.next_steps[0]).toContain('3 of 9 lines');
  });

  it('returns the reason of a refused upload', async () => {
    const reason = 'Content-Type application/msgpack is not supported.';
    const { own } = await withUploads([{ kind: 'refused', source: null, reason }]);
    expect(own.logs.last_upload).toMatchObject({ outcome: 'refused', source: null, reason });
    expect(own.next_steps[0]).toContain(reason);
    expect(own.guide_url).toMatch(/\/guides\/cloudflare$/);
  });
});

import { describe, expect, it } from 'vitest';
import { createUsageCounter } from '../../../shared/usage/usage-counter.js';
import { OTHER_KEY, post, record, records, start, targetsOf } from '../../../test/harness/ingest/http.js';
import { createQuotas } from './quota.js';

const HALF_PAST = Date.parse('2026-03-01T12:30:00Z');
const plan = { retentionDays: 30, rowsPerHour: 1_000, bytesPerHour: 100 * 1024 };
const owner = { websiteId: 'w1', organisationId: 'o1', keyId: 'k1', plan };

describe('a quota of rows and bytes an hour', () => {
  it.each([
    ['rows', 'ingest_rows', 1_000, 'quota_rows'],
    ['bytes', 'ingest_kib', 100, 'quota_bytes'],
  ] as const)('refuses an upload when its %s are used up, until the next hour', (_, bucket, full, reason) => {
    let now = HALF_PAST;
    const usage = createUsageCounter('r1');
    const quotas = createQuotas({ usage, now: () => now });
    usage.take('w1', bucket, now, full - 1);
    expect(() => quotas.refuseBeyond(owner)).not.toThrow();
    usage.take('w1', bucket, now);
    expect(() => quotas.refuseBeyond(owner)).toThrow(
      expect.objectContaining({
        status: 503,
        retryAfterSeconds: 1_800,
        fields: { reason, reset_at: '2026-03-01T13:00:00.000Z' },
      }),
    );
    expect(() => quotas.refuseBeyond({ ...owner, websiteId: 'w2' })).not.toThrow();
    now += 1_800_000;
    expect(() => quotas.refuseBeyond(owner)).not.toThrow();
  });

  it('counts the usage of other replicas', () => {
    const usage = createUsageCounter('r1');
    const quotas = createQuotas({ usage, now: () => HALF_PAST });
    const hourStart = HALF_PAST - 1_800_000;
    usage.merge(
      { replicaId: 'r2', counts: [{ subjectId: 'w1', bucket: 'ingest_rows', hourStart, count: 1_000 }] },
      HALF_PAST,
    );
    expect(() => quotas.refuseBeyond(owner)).toThrow('1000 rows an hour is used up');
  });

  it('continues a running upload, but not beyond twice the quota', () => {
    const usage = createUsageCounter('r1');
    const quotas = createQuotas({ usage, now: () => HALF_PAST });
    const [one, two] = [quotas.meter(owner), quotas.meter(owner)];
    one.count(900, 0);
    two.count(1_000, 0);
    one.count(999, 0);
    expect(() => two.count(1_000, 0)).not.toThrow();
    expect(() => one.count(1_000, 0)).toThrow(expect.objectContaining({ status: 503 }));
  });

  it('ends an upload that exceeds an hour’s quota with 413, not with a call to repeat it', () => {
    const quotas = createQuotas({ usage: createUsageCounter('r1'), now: () => HALF_PAST });
    expect(() => quotas.meter(owner).count(1_001, 0)).toThrow(expect.objectContaining({ status: 413 }));
    expect(() => quotas.meter(owner).count(0, 100 * 1024 + 1)).toThrow(
      expect.objectContaining({ status: 413 }),
    );
  });

  it('counts every byte once, even in very small uploads', () => {
    const usage = createUsageCounter('r1');
    const quotas = createQuotas({ usage, now: () => HALF_PAST });
    const meter = quotas.meter(owner);
    for (const bytes of [500, 1_500, 3_000]) meter.count(1, bytes);
    meter.end(2, 3_000);
    quotas.meter(owner).end(0, 1);
    expect(usage.used('w1', 'ingest_kib', HALF_PAST)).toBe(3 + 1);
    expect(usage.used('w1', 'ingest_rows', HALF_PAST)).toBe(2);
  });
});

describe('uploads', () => {
  it('beyond the quota are 503 with Retry-After until the next hour, and other websites continue', async () => {
    const { url, memory, registry } = await start({ plan: { rowsPerHour: 100 }, now: () => HALF_PAST });
    expect((await post(url, records(60))).status).toBe(200);
    // It started within the quota, so all of it is taken.
    expect((await post(url, records(60))).json.accepted).toBe(60);
    const { status, json, headers } = await post(url, record('/more'));
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1800');
    expect(json).toMatchObject({ reason: 'quota_rows', reset_at: '2026-03-01T13:00:00.000Z' });
    expect(targetsOf(memory)).toHaveLength(120);
    expect(await registry.metrics()).toContain('loglane_ingest_refused_uploads_total{reason="quota_rows"} 1');
    expect((await post(url, record('/other'), { 'x-api-key': OTHER_KEY })).status).toBe(200);
  });

  it('count the rows in the log and the bytes read', async () => {
    const usage = createUsageCounter('r1');
    const { url } = await start({ usage, now: () => HALF_PAST });
    const body = `${records(10)}\nnonsense`;
    await post(url, body);
    expect(usage.used('w1', 'ingest_rows', HALF_PAST)).toBe(10);
    expect(usage.used('w1', 'ingest_kib', HALF_PAST)).toBe(Math.ceil(body.length / 1_024));
  });

  it('count as more rows if they have many different texts, and report their number of requests', async () => {
    const usage = createUsageCounter('r1');
    const { url } = await start({ usage, now: () => HALF_PAST });
    const lines = Array.from({ length: 100 }, (_, at) =>
      JSON.stringify({
        ...JSON.parse(record(`/${at}`)),
        ...{
          user_agent: `a${at}`,
          referrer: `https://r${at}.example/`,
          request_id: `i${at}`,
          host: `h${at}`,
        },
      }),
    );
    expect((await post(url, lines.join('\n'))).json.accepted).toBe(100);
    // Five texts each, except for the first of each column.
    expect(usage.used('w1', 'ingest_rows', HALF_PAST)).toBe(Math.ceil((5 * 99) / 2));
  });

  it('that alone exceed an hour’s quota are 413 and report the accepted requests', async () => {
    const { url, memory } = await start({ plan: { rowsPerHour: 3_000 }, now: () => HALF_PAST });
    const { status, json } = await post(url, records(9_000));
    expect(status).toBe(413);
    const reset_at = new Date(HALF_PAST + 1_800_000).toISOString();
    expect(json).toMatchObject({ reason: 'larger_than_quota', reset_at, accepted: targetsOf(memory).length });
    expect(json.detail).toMatch(/stored.*the rest.*from .* on.*smaller/);
    expect(json.detail).toContain(reset_at);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../shared/durations.js';
import { createTestApi, type RequestOptions, type TestApi, untouchedStore } from '../harness/api.js';
import { granted } from '../harness/control-plane.js';

/** The hourly limits of an organisation (spec §7, §8), on a plan with 100 an hour. */

const WEBSITES = '/public/v1/websites';

let test: TestApi;
beforeEach(async () => {
  test = await createTestApi({ reader: untouchedStore });
  await setPlan('starter');
});

async function setPlan(planId: 'starter' | 'growth' | 'free') {
  const { organisationId } = test.website;
  granted(await test.control.execute({ type: 'setPlan', organisationId, planId }, 'admin'));
}

const read = (options: RequestOptions = {}) => test.request(WEBSITES, options);
/** Reaches the operation and is refused by it. */
const write = () => test.request(WEBSITES, { method: 'POST', body: '' });

async function repeat(times: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let each = 0; each < times; each += 1) statuses.push((await call()).status);
  return statuses;
}

/** Limit, remaining calls and reset in the headers of an answer. */
function limitHeaders({ headers }: { headers: Headers }) {
  return ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`));
}
const RESET = '2026-11-21T13:00:00.000Z';

describe('the limit of the plan', () => {
  it('allows that number of calls and refuses the next with the time of the reset', async () => {
    expect(limitHeaders(await read())).toEqual(['100', '99', RESET]);
    expect(await repeat(98, read)).toEqual(Array(98).fill(200));
    expect(limitHeaders(await read())).toEqual(['100', '0', RESET]);
    const refused = await read();
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      detail: `The organisation's limit of 100 requests an hour is reached; the next hour begins at ${RESET}.`,
      limit: 100,
      reset_at: RESET,
    });
    // The clock is a millisecond after noon.
    expect(refused.headers.get('Retry-After')).toBe('3600');
    expect(limitHeaders(refused)).toEqual(['100', '0', RESET]);
  });

  it('is shared by all keys of the organisation, and does not affect others', async () => {
    await repeat(60, read);
    expect(limitHeaders(await read({ key: test.keys.read }))).toEqual(['100', '39', RESET]);
    await repeat(40, read);
    expect((await read({ key: test.keys.read })).status).toBe(429);
    const foreign = await read({ key: test.keys.foreign });
    expect([foreign.status, ...limitHeaders(foreign)]).toEqual([200, '2000', '1999', RESET]);
  });

  it('restarts with the next full hour', async () => {
    await repeat(101, read);
    test.advance(HOUR_MS - 2);
    expect((await read()).headers.get('Retry-After')).toBe('1');
    test.advance(1);
    const fresh = await read();
    expect([fresh.status, ...limitHeaders(fresh)]).toEqual([200, '100', '99', '2026-11-21T14:00:00.000Z']);
  });

  it('changes with the plan at once; refused calls were not counted', async () => {
    await repeat(105, read);
    await setPlan('growth');
    expect(limitHeaders(await read())).toEqual(['500', '399', RESET]);
    await setPlan('starter');
    expect(limitHeaders(await read())).toEqual(['100', '0', RESET]);
  });

  it('is shown and counted for calls that fail later', async () => {
    const foreign = `/public/v1/websites/${test.foreignWebsite.id}/traffic`;
    const own = `/public/v1/websites/${test.website.id}`;
    const answers = [
      await test.request(foreign),
      await test.request(`${own}/traffic?hours=abc`),
      await test.request(`${own}/traffic`),
    ];
    expect(answers.map((answer) => [answer.status, limitHeaders(answer)[1]])).toEqual([
      [404, '99'],
      [400, '98'],
      [500, '97'],
    ]);
  });

  it('is neither shown nor counted without a known caller', async () => {
    for (const key of [null, test.keys.expired, test.keys.ingest]) {
      const answer = await read({ key });
      expect([answer.status, ...limitHeaders(answer)]).toEqual([401, null, null, null]);
    }
    expect(limitHeaders(await read())).toEqual(['100', '99', RESET]);
  });

  it('is 0 on a plan without API access', async () => {
    const answer = await read({ key: test.keys.free });
    expect([answer.status, ...limitHeaders(answer)]).toEqual([403, '0', '0', RESET]);
  });
});

describe('the limit of writes', () => {
  it('is 120 an hour in addition to that of the plan', async () => {
    const first = await write();
    expect([first.status, ...limitHeaders(first)]).toEqual([400, '120', '119', RESET]);
    expect(await repeat(119, write)).toEqual(Array(119).fill(400));
    const refused = await write();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ limit: 120, reset_at: RESET });
    expect(limitHeaders(refused)).toEqual(['120', '0', RESET]);
    expect(limitHeaders(await read())).toEqual(['100', '99', RESET]);
  });

  it('does not count reads, nor a write with a read key', async () => {
    await repeat(100, read);
    const refused = await test.request(WEBSITES, { method: 'POST', body: '', key: test.keys.read });
    expect([refused.status, ...limitHeaders(refused)]).toEqual([403, '120', '120', RESET]);
    expect(limitHeaders(await write())).toEqual(['120', '119', RESET]);
  });
});

it('refused calls are counted in the metrics, by bucket', async () => {
  await repeat(103, read);
  await repeat(121, write);
  const text = await test.options.registry.metrics();
  expect(text).toContain('loglane_api_refused_calls_total{bucket="requests"} 3');
  expect(text).toContain('loglane_api_refused_calls_total{bucket="writes"} 1');
});

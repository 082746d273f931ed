import { describe, expect, it } from 'vitest';
import { KEY, NOW, OTHER_KEY, post, record, start } from '../../../test/harness/ingest/http.js';

/** The log lines of uploads, and the ids that connect them to answers. */

type Line = Record<string, unknown>;
const linesOf = (logged: readonly string[]): Line[] => logged.map((line) => JSON.parse(line));
const INFO = 30;

describe('a line at info', () => {
  it('is written for an accepted upload, with website, key, address and request', async () => {
    const { url, logged } = await start();
    const { headers, json } = await post(url, record('/'));
    expect(linesOf(logged)).toEqual([
      expect.objectContaining({
        level: INFO,
        msg: 'upload taken',
        remote_address: '127.0.0.1',
        website_id: 'w1',
        key_id: 'k1',
        upload_id: json.upload_id,
        request_id: headers.get('x-request-id'),
        accepted: 1,
      }),
    ]);
    expect(logged.join()).not.toContain(KEY);
  });

  it('is written for a refused key, without the key', async () => {
    const { url, logged } = await start();
    const { headers } = await post(url, record('/'), {
      'x-api-key': 'll_guess',
      'x-forwarded-for': '203.0.113.9',
    });
    expect(linesOf(logged)).toEqual([
      expect.objectContaining({
        level: INFO,
        msg: 'upload refused',
        status: '401',
        remote_address: '127.0.0.1',
        request_id: headers.get('x-request-id'),
      }),
    ]);
    expect(logged.join()).not.toContain('ll_guess');
  });

  it('names the address that the last configured proxy saw', async () => {
    const { url, logged } = await start({ config: { INGEST_PROXY_HOPS: 2 } });
    const forwarded = '6.6.6.6, 203.0.113.9, 10.0.0.1';
    await post(url, record('/'), { 'x-api-key': KEY, 'x-forwarded-for': forwarded });
    expect(linesOf(logged)).toMatchObject([{ remote_address: '203.0.113.9' }]);
  });

  it('is limited per minute and sender, and the number of omitted lines is logged', async () => {
    let now = NOW;
    const { url, logged } = await start({ now: () => now });
    for (let count = 0; count < 25; count++) await post(url, record('/'), { 'x-api-key': 'll_guess' });
    for (let count = 0; count < 25; count++) await post(url, record('/'));
    expect(linesOf(logged).filter(({ status }) => status === '401')).toHaveLength(10);
    expect(linesOf(logged).filter(({ msg }) => msg === 'upload taken')).toHaveLength(10);
    // Another website's lines count separately.
    await post(url, record('/'), { 'x-api-key': OTHER_KEY });
    expect(linesOf(logged).filter(({ msg }) => msg === 'upload taken')).toHaveLength(11);
    now += 60_000;
    await post(url, record('/'));
    expect(linesOf(logged).slice(-2)).toMatchObject([
      { msg: 'ingest: lines of uploads were left out', lines: 15, subjects: 1 },
      { msg: 'upload taken', left_out: 15 },
    ]);
  });

  it('is written for a limited number of addresses a minute, even if many guess keys', async () => {
    const { url, logged } = await start({ config: { INGEST_PROXY_HOPS: 1 } });
    for (let count = 0; count < 130; count++) {
      await post(url, record('/'), { 'x-forwarded-for': `203.0.${count}.9` });
    }
    expect(logged.length).toBe(100 + 10);
  });
});

it('every answer has our request id, is stored by no cache, and its type is guessed by no browser', async () => {
  const { url } = await start();
  const answers = [
    await post(url, record('/'), { 'x-api-key': KEY, 'x-request-id': 'theirs' }),
    await post(url, record('/'), {}),
    await fetch(url),
    await fetch(url, { method: 'PUT' }),
    ...(await Promise.all(
      ['healthz', 'readyz', 'metrics', 'nothing'].map((path) => fetch(url.replace('v1/logs', path))),
    )),
  ];
  for (const { headers } of answers) {
    expect(headers.get('x-request-id')).toMatch(/^request-\d+$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length);
});

import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../shared/durations.js';
import { createTestApi, openReplica, type TestApi } from '../../../test/harness/api.js';

/** `Idempotency-Key` on writes that create something. */

let test: TestApi;
beforeEach(async () => {
  test = await createTestApi({});
});

function create(
  domain: string,
  idempotencyKey: string,
  options: { key?: string; on?: TestApi['request'] } = {},
) {
  const { on = test.request, ...rest } = options;
  return on('/public/v1/websites', {
    method: 'POST',
    body: { domain },
    headers: { 'Idempotency-Key': idempotencyKey },
    ...rest,
  });
}
const websites = () => test.control.state().websites.size;

describe('a repeat with the same key', () => {
  it('gets the first answer byte for byte, the ingest key in it too, and creates nothing', async () => {
    const before = websites();
    const first = await create('a.example', 'k1');
    const again = await create('a.example', 'k1');
    expect(first.status).toBe(200);
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(websites()).toBe(before + 1);
  });

  it('however the header of the API key is written', async () => {
    const first = await create('a.example', 'k1');
    const again = await test.request('/public/v1/websites', {
      key: null,
      method: 'POST',
      body: { domain: 'a.example' },
      headers: { 'Idempotency-Key': 'k1', Authorization: `bearer  ${test.keys.readWrite} ` },
    });
    expect(again.text).toBe(first.text);
  });

  it('but another body is refused', async () => {
    await create('a.example', 'k1');
    const other = await create('b.example', 'k1');
    expect(other.status).toBe(409);
    expect(other.body.code).toBe('idempotency_key_reused');
    // A refusal is not the first answer.
    expect(other.headers.get('Idempotency-Replayed')).toBeNull();
  });

  it('is forgotten after a day', async () => {
    const first = await create('a.example', 'k1');
    test.advance(24 * HOUR_MS);
    const later = await create('b.example', 'k1');
    expect(later.status).toBe(200);
    expect(later.body.website_id).not.toBe(first.body.website_id);
  });

  it('by another API key is another request', async () => {
    const before = websites();
    await create('a.example', 'k1');
    const other = await create('a.example', 'k1', { key: test.keys.foreign });
    expect(other.status).toBe(200);
    expect(other.headers.get('Idempotency-Replayed')).toBeNull();
    expect(websites()).toBe(before + 2);
  });

  it('is decided again if the first was refused', async () => {
    expect((await create(test.website.domain, 'k1')).status).toBe(409);
    expect((await create('a.example', 'k1')).status).toBe(200);
  });
});

describe('two at once', () => {
  it('on two replicas create one; the other must retry or gets the same answer', async () => {
    const replica = await openReplica(test);
    const before = websites();
    const answers = await Promise.all([
      create('a.example', 'k1'),
      create('a.example', 'k1', { on: replica }),
    ]);
    await test.controlLog.drained();
    expect(websites()).toBe(before + 1);
    expect(answers.map(({ status }) => status)).toContain(200);
    const loser = answers.find(({ status }) => status !== 200);
    if (loser !== undefined) {
      expect(loser.status).toBe(409);
      expect(loser.body.code).toBe('idempotency_key_in_use');
      expect(loser.headers.get('Retry-After')).toBe('1');
    }
    const texts = await Promise.all([create('a.example', 'k1'), create('a.example', 'k1', { on: replica })]);
    expect(texts[0]!.text).toBe(texts[1]!.text);
  });
});

describe('an answer that was lost on the way to the log', () => {
  it('is in use for a minute, and then said to be lost', async () => {
    // The claim and the created object are in the log; the answer is not.
    test.controlLog.failNextAppend(1);
    expect((await create('a.example', 'k1')).status).toBe(200);
    expect((await create('a.example', 'k1')).body.code).toBe('idempotency_key_in_use');
    test.advance(61_000);
    const lost = await create('a.example', 'k1');
    expect(lost.status).toBe(409);
    expect(lost.body.code).toBe('idempotency_answer_lost');
  });
});

it.each(['', ' ', 'a b', 'ü', 'x'.repeat(256)])(
  'the key "%s" is refused or counts as none',
  async (wrong) => {
    const answer = await create('a.example', wrong);
    if (wrong.trim() === '') return expect([200, 400]).toContain(answer.status);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/^Idempotency-Key: /);
  },
);

it('what creates nothing takes no notice of it', async () => {
  const put = (name: string) =>
    test.request(`/public/v1/websites/${test.website.id}/bots/${name}/suppress`, {
      method: 'POST',
      headers: { 'Idempotency-Key': 'k1' },
    });
  expect((await put('Googlebot')).body.crawler).toBe('Googlebot');
  expect((await put('bingbot')).body.crawler).toMatch(/bingbot/i);
});

it('no record of the log holds the ingest key', async () => {
  const { body } = await create('a.example', randomBytes(8).toString('hex'));
  await test.controlLog.drained();
  const written = Buffer.concat(test.controlLog.records.map(({ value }) => value)).toString('latin1');
  expect(written).not.toContain(body.ingest.api_key);
});

import { z } from '@hono/zod-openapi';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, untouchedStore } from '../../../test/harness/api.js';
import { describeApi } from '../docs/openapi.js';
import { type Operation, websiteRead, websiteWrite } from './operation.js';
import { redirectTo } from './reply.js';

/** Each operation declares its scope, limit, status and kind of body, independent of its method. */

const text = { tag: 'Test', summary: 's', description: 'd' };

const operations: Operation[] = [
  websiteWrite('post', {
    ...text,
    id: 'report',
    path: '/report',
    access: 'read',
    bucket: 'requests',
    replies: [{ body: 'json', status: 201 }],
    creates: true,
    body: z.object({ days: z.int() }),
    answer: z.object({ days: z.int() }),
    async run({ days }, { website, services, write }) {
      const rules = [{ type: 'prefix' as const, value: '/' }];
      await services.control.execute(
        { type: 'createSegment', websiteId: website.id, name: 'Report', rules },
        write,
        null,
      );
      return { days };
    },
  }),
  websiteRead({
    ...text,
    id: 'secrets',
    path: '/secrets',
    access: 'read_write',
    bucket: 'writes',
    query: z.object({}),
    answer: z.object({}),
    run: async () => ({}),
  }),
  websiteRead({
    ...text,
    id: 'download',
    path: '/download',
    replies: [
      { body: 'redirect', status: 302, description: 'To the file.' },
      { body: 'json', status: 200 },
    ],
    query: z.object({ redirect: z.string().default('true') }),
    answer: z.object({ url: z.string() }),
    run: async ({ redirect }) =>
      redirect === 'true'
        ? redirectTo('https://files.example/a.csv')
        : { url: 'https://files.example/a.csv' },
  }),
  websiteRead({
    ...text,
    id: 'unannounced',
    path: '/unannounced',
    query: z.object({}),
    answer: z.object({}),
    run: async () => redirectTo('https://files.example/a.csv') as never,
  }),
];

let test: TestApi;
beforeAll(async () => {
  test = await createTestApi({ reader: untouchedStore, operations });
});

const post = (key: string, headers = {}) =>
  test.read('/report', { method: 'POST', body: { days: 30 }, key, headers });
const left = (headers: Headers) => [headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')];

describe('an operation that is sent but writes nothing', () => {
  it('accepts a read key, counts as a request and answers its status, also for a repeat', async () => {
    const before = await test.read('/download');
    const [limit, remaining] = left(before.headers);
    const first = await post(test.keys.read, { 'Idempotency-Key': 'k1' });
    expect([first.status, first.body]).toEqual([201, { days: 30 }]);
    expect(left(first.headers)).toEqual([limit, String(Number(remaining) - 1)]);
    const again = await post(test.keys.read, { 'Idempotency-Key': 'k1' });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  });
});

describe('a read that needs a read_write key', () => {
  it('refuses a read key and counts in its declared bucket', async () => {
    expect((await test.read('/secrets', { key: test.keys.read })).status).toBe(403);
    const answer = await test.read('/secrets');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('120');
  });
});

describe('an answer that is no JSON', () => {
  it('is a redirect, or JSON if the call requests it', async () => {
    const redirect = await test.read('/download');
    expect([redirect.status, redirect.text]).toEqual([302, '']);
    expect(redirect.headers.get('Location')).toBe('https://files.example/a.csv');
    expect(redirect.headers.get('Cache-Control')).toBe('no-store');
    const json = await test.read('/download?redirect=false');
    expect([json.status, json.body]).toEqual([200, { url: 'https://files.example/a.csv' }]);
  });

  it('is an internal error if the operation does not declare it', async () => {
    expect((await test.read('/unannounced')).status).toBe(500);
  });
});

it('the document contains the declarations of each operation', () => {
  const urls = { base: 'https://api.example', ingest: 'https://ingest.example' };
  const { paths } = JSON.parse(JSON.stringify(describeApi(operations, urls)));
  const below = '/public/v1/websites/{website_id}';
  const successes = (responses: object) => Object.keys(responses).filter((status) => status < '4');
  const report = paths[`${below}/report`].post.responses;
  expect(successes(report)).toEqual(['201']);
  expect(report['403'].description).not.toMatch(/read-only/);
  expect(paths[`${below}/secrets`].get.responses['403'].description).toMatch(/read-only/);
  const download = paths[`${below}/download`].get.responses;
  expect(successes(download)).toEqual(['200', '302']);
  expect(download['302'].headers).toHaveProperty('Location');
  expect(download['302']).not.toHaveProperty('content');
});

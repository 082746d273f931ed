import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';

/** Saving segments; test/truth covers their effect on reads. */

let engine: TestClickHouse;
let test: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());
beforeEach(async () => {
  test = await createTestApi({ clickhouse: engine.clickhouse });
});

const call = (method: string, path: string, body?: unknown) =>
  test.read(`/segments${path}`, { method, ...(body === undefined ? {} : { body }) });
const blog = { name: 'Blog', rules: [{ type: 'prefix', value: '/blog' }] };

describe('a segment', () => {
  it('is created with defaults, listed, replaced as a whole by PUT and PATCH, and deleted', async () => {
    const { body } = await call('POST', '', blog);
    expect(body.segment).toEqual({
      ...blog,
      segment_id: expect.stringMatching(/^seg_/),
      exclude_rules: [],
      colour: null,
      parent_id: null,
      notes: null,
      order: null,
      created_at: '2026-11-21T12:00:00.001Z',
      updated_at: '2026-11-21T12:00:00.001Z',
    });
    const at = `/${body.segment.segment_id}`;
    for (const method of ['PUT', 'PATCH']) {
      test.advance(1000);
      const full = { ...blog, colour: '#2563EB', notes: 'n', order: 4, exclude_rules: blog.rules };
      expect((await call(method, at, full)).body.segment).toMatchObject(full);
      const replaced = await call(method, at, { ...blog, name: method });
      expect(replaced.body.segment).toMatchObject({ name: method, colour: null, notes: null, order: null });
      expect((await call('GET', '')).body.segments).toEqual([replaced.body.segment]);
    }
    expect((await call('DELETE', at)).body).toEqual({ deleted: body.segment.segment_id });
    expect((await call('GET', '')).body).toEqual({ segments: [] });
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await call(method, at, method === 'DELETE' ? undefined : blog)).status).toBe(404);
  });

  it('is sorted by its order (none last), then by age', async () => {
    for (const [name, order] of [
      ['c', null],
      ['b', 7],
      ['d', null],
      ['a', -1],
    ] as const)
      await call('POST', '', { ...blog, name, order });
    const { segments } = (await call('GET', '')).body;
    expect(segments.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('of another website is not found', async () => {
    const { body } = await call('POST', '', blog);
    const theirs = `/public/v1/websites/${test.foreignWebsite.id}/segments`;
    const id = body.segment.segment_id;
    for (const [method, sent] of [
      ['PUT', blog],
      ['DELETE', undefined],
    ] as const) {
      const answer = await test.request(`${theirs}/${id}`, {
        method,
        key: test.keys.foreign,
        ...(sent === undefined ? {} : { body: sent }),
      });
      expect(answer.status).toBe(404);
    }
    expect((await test.request(theirs, { key: test.keys.foreign })).body).toEqual({ segments: [] });
  });
});

describe('a rule that can never match', () => {
  it.each(['rules', 'exclude_rules'])('is refused in %s with the field and a matching form', async (list) => {
    const wrong = [blog.rules[0], { type: 'prefix', value: 'blog' }];
    const { status, body } = await call('POST', '', { ...blog, [list]: wrong });
    expect(status).toBe(400);
    expect(body.detail).toBe(
      `${list}[1].value: expected a path that begins with /, like "/blog", got "blog".`,
    );
    expect((await call('GET', '')).body.segments).toEqual([]);
  });
});

describe('a regex', () => {
  it.each(['(', '[a-', 'a{2,1}', '(?=x)', '\\1', '*'])(
    'that the engine can not compile is refused with its reason: %s',
    async (value) => {
      for (const rules of [
        { rules: [{ type: 'regex', value }] },
        { exclude_rules: [{ type: 'regex', value }] },
      ]) {
        const answer = await call('POST', '', { ...blog, ...rules });
        expect(answer.status).toBe(400);
        expect(answer.body.detail).toMatch(/^rules: the regex .+ is wrong: \w/);
      }
      expect((await call('GET', '')).body.segments).toEqual([]);
    },
  );

  it.each([
    '^/blog/[0-9]+$',
    '(a+)+$',
    '\\.(pdf|docx?)$',
    '(?i)news',
    "'; DROP TABLE requests; --",
    '\\{x: String\\}',
  ])('that the engine can compile is saved unchanged: %s', async (value) => {
    const { status, body } = await call('POST', '', { ...blog, rules: [{ type: 'regex', value }] });
    expect(status).toBe(200);
    expect(body.segment.rules).toEqual([{ type: 'regex', value }]);
  });

  it('is not checked for rules of another type', async () => {
    const rules = [{ type: 'prefix', value: '/(' }];
    expect((await call('POST', '', { ...blog, rules })).status).toBe(200);
  });
});

describe('the library', () => {
  it('adds eight groups, once, with rules that the engine accepts', async () => {
    const { body } = await call('POST', '/library', {});
    expect(body.added).toHaveLength(8);
    expect((await call('POST', '/library')).body).toEqual({ added: [] });
    const { segments } = (await call('GET', '')).body;
    expect(segments).toHaveLength(8);
    for (const { segment_id, created_at: _c, updated_at: _u, ...segment } of segments)
      expect((await call('PUT', `/${segment_id}`, segment)).status).toBe(200);
  });
});

describe('the breakdown of a draft', () => {
  const breakdown = (draft: unknown) =>
    test.read(`/segments-breakdown?hours=24&draft=${encodeURIComponent(JSON.stringify(draft))}`);

  it('has the figures of the rules after those of all requests, without saved segments', async () => {
    await call('POST', '', blog);
    const { body } = await breakdown({ rules: blog.rules });
    expect(body.segments.map(({ segment_id }: { segment_id: string }) => segment_id)).toEqual([
      '_all',
      '_draft',
    ]);
  });

  it.each([
    ['not JSON', 'x', 'draft'],
    ['a path without a slash', { rules: [{ type: 'prefix', value: 'blog' }] }, 'begins with /'],
    ['a regex that the engine refuses', { rules: [{ type: 'regex', value: '(' }] }, 'is wrong'],
  ])('is refused for %s', async (_name, draft, reason) => {
    const { status, body } = await breakdown(draft);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(reason);
  });
});

import { z } from '@hono/zod-openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from '../../services/api/operation/routes.js';
import type { TestAnswer, TestApi } from '../harness/api.js';
import { type ContractWorld, startContractWorld } from './contract-world.js';
import { addressOf, type Described, described, document, exampleOf, named, reads } from './described.js';
import { callsIn } from './prepared-calls.js';

/** Every operation's answer matches its own schema, with real rows and without: no field is missing, none is extra. */

let world: ContractWorld;
let test: TestApi;
let prepare: ReturnType<typeof callsIn>;

beforeAll(async () => {
  world = await startContractWorld();
  test = world.test;
  prepare = callsIn(world);
});
afterAll(() => world?.stop());

const below = (path: string) => `/public/v1/websites/${test.website.id}${path}`;

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** The answer matches the document for its status, without undocumented fields. */
function expectDocumented({ operation, responses }: Described, answer: TestAnswer): void {
  const response = responses[String(answer.status)];
  expect(response, `${answer.status} of ${operation.id} is not in the document`).toBeDefined();
  const schema = { ...response.content['application/json'].schema, components: document.components };
  const holds = ajv.compile(schema);
  expect(holds(answer.body) ? null : holds.errors).toBeNull();
  if (answer.status >= 300) return;
  // zod drops unknown fields, so a difference is an undocumented field.
  const parsed = answerOf(operation).safeParse(answer.body);
  expect(parsed.error === undefined ? null : z.prettifyError(parsed.error)).toBeNull();
  expect(parsed.data).toEqual(answer.body);
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
    expect(answer.headers.get(name), name).not.toBeNull();
}

async function callIt(one: Described, websiteId = test.website.id, asked = ''): Promise<TestAnswer> {
  const { path, query, body, key } = await prepare(one, websiteId);
  const all = new URLSearchParams(asked);
  for (const [name, value] of Object.entries(query)) all.set(name, String(value));
  return test.request(addressOf(one, path, String(all)), { method: one.method, key, body });
}

describe.each(named)('%s', (_id, one) => {
  it('answers as documented', async () => {
    const answer = await callIt(one);
    expect(answer.body?.detail).toBeUndefined();
    expect(one.operation.replies.map(({ status }) => status)).toContain(answer.status);
    expectDocumented(one, answer);
  });

  it.runIf(one.operation.kind === 'website')("shows nothing of another organisation's website", async () => {
    const answer = await callIt(one);
    expect(answer.text).not.toContain(test.foreignWebsite.id);
    expect(answer.text).not.toContain(test.foreignWebsite.domain);
  });
});

describe.each(reads)('%s', (_id, one) => {
  it.runIf(one.operation.kind === 'website')(
    'answers as documented for a website without requests',
    async () => {
      const answer = await callIt(one, world.emptyWebsiteId);
      expect(answer.status).toBe(200);
      expectDocumented(one, answer);
    },
  );

  it.runIf(one.parameters.some(({ name }) => name === 'segment'))(
    'answers as documented for a segment',
    async () => {
      const answer = await callIt(one, test.website.id, `?segment=${world.segmentId}`);
      expect(answer.status).toBe(200);
      expectDocumented(one, answer);
      expect(answer.body.data_buffering).toBe(false);
      const whole = await callIt(one);
      expect(answer.body).not.toEqual(whole.body);
    },
  );

  it('cuts its lists at max_rows with the documented mark', async () => {
    const capped = await callIt(one, test.website.id, '?max_rows=1');
    expect(capped.status).toBe(200);
    expectDocumented(one, capped);
    const { _truncated, ...rest } = capped.body;
    for (const value of Object.values(rest)) if (Array.isArray(value)) expect(value.length).toBeLessThan(2);
    const whole = await callIt(one);
    for (const [name, value] of Object.entries(whole.body)) {
      if (!Array.isArray(value)) continue;
      expect(_truncated?.original_counts?.[name], name).toBe(value.length > 1 ? value.length : undefined);
    }
  });
});

it.each(['?view=incidents', '?hours=24', '?start=2026-11-20&end=2026-11-21&page_size=1'])(
  'alerts with %s are answered as documented',
  async (query) => {
    const one = described.find(({ id }) => id === 'listAlerts')!;
    const answer = await callIt(one, test.website.id, query);
    expect(answer.status).toBe(200);
    expect(answer.body.count).toBeGreaterThan(0);
    expectDocumented(one, answer);
    expect(answer.text).not.toContain(test.foreignWebsite.id);
  },
);

describe('documented refusals', () => {
  it.each([
    'replaceSegment',
    'patchSegment',
    'deleteSegment',
    'deleteSiteEvent',
    'acknowledgeAlert',
    'cancelCrawl',
  ])('%s with an unknown id is a documented 404', async (id) => {
    const one = described.find((each) => each.id === id)!;
    const answer = await test.request(addressOf(one, { website_id: test.website.id }), {
      method: one.method,
      ...(one.body === null ? {} : { body: exampleOf(one.body) }),
    });
    // The alert of the document's example was made above; this one does not exist.
    const missing =
      id === 'acknowledgeAlert'
        ? await test.request(below('/alerts/none/acknowledge'), { method: 'POST' })
        : answer;
    expect(missing.status).toBe(404);
    expectDocumented(one, missing);
  });

  it('a second trial, an existing domain and the present plan are documented conflicts', async () => {
    const conflict = async (id: string, call: () => Promise<TestAnswer>) => {
      const one = described.find((each) => each.id === id)!;
      let answer = await call();
      if (answer.status === 200) answer = await call();
      expect(answer.status).toBe(409);
      expectDocumented(one, answer);
      return answer.body;
    };
    const post =
      (path: string, body: unknown, key = test.keys.free) =>
      () =>
        test.request(`/public/v1${path}`, { method: 'POST', body, key });
    expect(await conflict('startTrial', post('/billing/trial', { plan_id: 'starter' }))).toMatchObject({
      code: 'trial_used_by_organisation',
    });
    const domain = { domain: test.website.domain };
    await conflict('createWebsite', post('/websites', domain, test.keys.readWrite));
  });
});

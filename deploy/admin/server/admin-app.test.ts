import pino from 'pino';
import { expect, test } from 'vitest';
import { decodeJobRequest } from '../../../shared/jobs/job-request.js';
import { openTestPlane } from '../../../test/harness/control-plane.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { createDeadLetterQueue } from '../dead-letters/dead-letter-queue.js';
import { createAdminApp } from './admin-app.js';

const logger = pino({ level: 'silent' });

async function openApp() {
  const plane = await openTestPlane();
  const jobsLog = createMemoryEventLog(1);
  const app = createAdminApp({
    control: plane.control,
    deadRecords: createDeadLetterQueue({ log: plane.log, logger }),
    log: jobsLog,
    logger,
  });
  const call = async (path: string, body?: unknown) => {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await app.request(path, init);
    return { status: response.status, json: (await response.json()) as any };
  };
  return { ...plane, call, jobsLog };
}

test('commands run and lists show their results, without digests', async () => {
  const { call } = await openApp();
  const { json: created } = await call('/commands', {
    type: 'createOrganisation',
    name: 'Shop',
    planId: 'scale',
  });
  const organisationId = created.answer.id;
  const other = (await call('/commands', { type: 'createOrganisation', name: 'Other' })).json.answer.id;
  const { json: site } = await call('/commands', {
    type: 'createWebsite',
    organisationId,
    domain: 'shop.example',
  });
  const { json: key } = await call('/commands', { type: 'createApiKey', organisationId });
  expect(site.answer.clearText).toMatch(/^ll_/);
  expect(key.answer.clearText).toMatch(/^llapi_/);
  expect(JSON.stringify([site, key])).not.toContain('digest');

  const list = async (path: string) => (await call(path)).json.rows;
  expect((await list('/organisations')).map(({ name }: { name: string }) => name)).toEqual(['Shop', 'Other']);
  expect(await list(`/websites?filter=${organisationId}`)).toEqual([site.answer.website]);
  expect(await list(`/websites?filter=${other}`)).toEqual([]);
  expect(await list('/api-keys')).toEqual([key.answer.apiKey]);
  expect(await list(`/ingest-keys?filter=${site.answer.website.id}`)).toEqual([site.answer.ingestKey]);
  expect(await list('/users')).toEqual([]);
});

test.each([
  ['no JSON', '{', 400],
  ['no object', 'null', 400],
  ['an unknown command', { type: 'toString' }, 400],
  ['a wrong field', { type: 'createOrganisation', name: '' }, 400],
  ['an unknown organisation', { type: 'setPlan', organisationId: 'org_none', planId: 'free' }, 404],
])('%s is refused with a detail', async (_what, body, status) => {
  const { call } = await openApp();
  expect(await call('/commands', body)).toEqual({ status, json: { detail: expect.any(String) } });
});

test('a job is requested through the log, only for an existing website', async () => {
  const { call, jobsLog } = await openApp();
  const { answer: organisation } = (await call('/commands', { type: 'createOrganisation', name: 'Shop' }))
    .json;
  const site = await call('/commands', {
    type: 'createWebsite',
    organisationId: organisation.id,
    domain: 'shop.example',
  });
  const request = { kind: 'sitemaps', websiteId: site.json.answer.website.id };
  expect(await call('/jobs', request)).toEqual({
    status: 200,
    json: { answer: { ...request, partition: 0, offset: 0 } },
  });
  const records = jobsLog.records('jobs');
  expect(records.map(({ key }) => key)).toEqual([request.websiteId]);
  expect(records.map(({ value }) => decodeJobRequest(value))).toEqual([{ ...request, details: '' }]);
  expect((await call('/jobs', { ...request, websiteId: 'web_none' })).status).toBe(404);
  expect((await call('/jobs', { ...request, kind: 'constructor' })).status).toBe(400);
});

test('an insight is requested through the log, only with a valid page and filters', async () => {
  const { call, jobsLog } = await openApp();
  const { answer: organisation } = (await call('/commands', { type: 'createOrganisation', name: 'Shop' }))
    .json;
  const site = await call('/commands', {
    type: 'createWebsite',
    organisationId: organisation.id,
    domain: 'shop.example',
  });
  const websiteId = site.json.answer.website.id;
  const wanted = { websiteId, page: '/a', filters: '{ "params_filter": "with_params", "hours": 24 }' };
  expect((await call('/insights', wanted)).status).toBe(200);
  expect(jobsLog.records('jobs').map(({ value }) => decodeJobRequest(value))).toEqual([
    {
      kind: 'insights',
      websiteId,
      details: '{"page":"/a","filters":"{\\"hours\\":24,\\"params_filter\\":\\"with_params\\"}"}',
    },
  ]);
  expect((await call('/insights', { ...wanted, filters: '{"robot":"x"}' })).json.detail).toMatch(
    /^filters: /,
  );
  expect((await call('/insights', { ...wanted, page: 'a' })).json.detail).toMatch(/^page: /);
  expect((await call('/insights', { ...wanted, websiteId: 'web_none' })).status).toBe(404);
});

test.each(['/robots', '/sitemaps', '/reclassify'])('%s reports that it needs a store', async (path) => {
  const { call } = await openApp();
  const subject = { websiteId: 'web_1', fetchedAt: null };
  const bodies: Record<string, object> = {
    '/robots': { ...subject, content: '' },
    '/sitemaps': { ...subject, files: [{ name: 'sitemap.xml', content: '' }] },
    '/reclassify': { websiteId: null, from: '2026-11-01', to: '2026-11-01' },
  };
  const { status, json } = await call(path, bodies[path]);
  expect(status).toBe(400);
  expect(json.detail).toContain('CLICKHOUSE_URL');
});

test('a conflict is 409', async () => {
  const { call } = await openApp();
  const organisationId = (await call('/commands', { type: 'createOrganisation', name: 'Shop' })).json.answer
    .id;
  const command = { type: 'addUser', organisationId, email: 'A@shop.example' };
  expect((await call('/commands', command)).status).toBe(200);
  expect(await call('/commands', { ...command, email: ' a@SHOP.example ' })).toMatchObject({ status: 409 });
});

test('an unknown list is 404', async () => {
  const { call } = await openApp();
  expect((await call('/secrets')).status).toBe(404);
  expect((await call('/constructor')).status).toBe(404);
});

test('an unavailable log is 503', async () => {
  const { call, log } = await openApp();
  log.failNextAppend();
  expect((await call('/commands', { type: 'createOrganisation', name: 'Shop' })).status).toBe(503);
});

test.each([{}, { partition: 1 }, { all: false }, { partition: -1, offset: 0 }, { all: true, offset: 1 }])(
  'a replay that does not select records is refused: %j',
  async (body) => {
    const { call } = await openApp();
    expect((await call('/dead/replay', body)).status).toBe(400);
  },
);

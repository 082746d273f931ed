import { insertAlert } from '../harness/alerts.js';
import { granted } from '../harness/control-plane.js';
import { type ContractWorld, endOpenCrawls, readyCrawl } from './contract-world.js';
import { type Described, exampleOf } from './described.js';

/** A call of an operation, with values of the document's examples and of objects that are made for it. */
export interface PreparedCall {
  readonly path: Record<string, string>;
  readonly query: Record<string, string | number | boolean>;
  /** Undefined: the operation has none. */
  readonly body: unknown;
  readonly key: string;
}

type Parts = Partial<PreparedCall>;

type Preparation = (world: ContractWorld, websiteId: string, listed: Set<string>) => Promise<Parts>;

/** @returns a function that prepares one call just before it is made. */
export function callsIn(world: ContractWorld) {
  const listed = new Set<string>();
  return async (one: Described, websiteId = world.test.website.id): Promise<PreparedCall> => {
    const parts = (await preparations[one.id]?.(world, websiteId, listed)) ?? {};
    return {
      path: { website_id: websiteId, ...parts.path },
      query: parts.query ?? {},
      body: one.body === null ? undefined : (parts.body ?? exampleOf(one.body)),
      key: parts.key ?? world.test.keys.readWrite,
    };
  };
}

async function newSegment({ test }: ContractWorld): Promise<Parts> {
  const address = `/public/v1/websites/${test.website.id}/segments`;
  const body = { name: 'Blog', rules: [{ type: 'prefix', value: '/page' }] };
  const { segment } = (await test.request(address, { method: 'POST', body })).body;
  return { path: { segment_id: segment.segment_id } };
}

async function doneExport({ test }: ContractWorld, websiteId: string): Promise<Parts> {
  const address = `/public/v1/websites/${websiteId}/exports`;
  const { job_id } = (await test.request(address, { method: 'POST', body: { export_type: 'paths' } })).body;
  const { control } = test;
  await control.execute({ type: 'startExport', exportId: job_id, attemptsBefore: 0 }, 'system');
  const file = { key: `${websiteId}/exports/${job_id}/1/paths.csv`, rows: 2, bytes: 40, sha256: 'ab' };
  await control.execute({ type: 'completeExport', exportId: job_id, attempt: 1, file }, 'system');
  return { path: { job_id }, query: { redirect: false } };
}

const preparations: Record<string, Preparation> = {
  // Both are made once: the list is requested twice and must be equal.
  async listExports(world, websiteId, listed) {
    if (!listed.has(websiteId))
      await Promise.all([doneExport(world, websiteId), doneExport(world, websiteId)]);
    listed.add(websiteId);
    return {};
  },
  async listCrawls(world, websiteId, listed) {
    if (!listed.has(`crawls of ${websiteId}`)) {
      await readyCrawl(world, websiteId);
      await readyCrawl(world, websiteId);
    }
    listed.add(`crawls of ${websiteId}`);
    return {};
  },
  async runCrawl({ test }, websiteId) {
    await endOpenCrawls(test, websiteId);
    return {};
  },
  async cancelCrawl({ test }, websiteId) {
    await endOpenCrawls(test, websiteId);
    const asked = await test.control.execute({ type: 'requestCrawl', websiteId, trigger: 'admin' }, 'system');
    return { path: { crawl_id: granted(asked).id } };
  },
  createExport: async () => ({ body: { export_type: 'paths', status: '4xx', directory: '/blog/' } }),
  downloadExport: doneExport,
  createWebsite: async () => ({ body: { domain: `https://Shop-${Math.random()}.example.com/start` } }),
  // A Free organisation, and one with a customer.
  startTrial: async ({ test }) => ({ key: test.keys.free }),
  replaceSegment: newSegment,
  patchSegment: newSegment,
  deleteSegment: newSegment,
  async deleteSiteEvent({ test }) {
    const address = `/public/v1/websites/${test.website.id}/site-events`;
    const body = { title: 'Relaunch', date: '2026-11-20' };
    const { event } = (await test.request(address, { method: 'POST', body })).body;
    return { path: { event_id: event.event_id } };
  },
  async acknowledgeAlert({ test, clickhouse }) {
    const alertId = '2026-11-21T09:00:00.000Z#4f2a9c';
    await insertAlert(clickhouse, { websiteId: test.website.id, alertId });
    return { path: { alert_id: alertId } };
  },
};

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDecider } from '../../../test/harness/decider.js';
import { MINUTE_MS } from '../../durations.js';
import { countedAttempts } from '../aggregates/attempts.js';
import type { Crawl } from '../domain/model.js';
import { MOST_CRAWLS } from './crawl.js';
import { crawlIdTime } from './crawl-id.js';
import { crawlsOf, latestReadyCrawl } from './latest-crawl.js';

const counts = {
  ...{ urlCount: 9, indexableCount: 8, status200: 8, unlinkedCount: 1, maxDepth: 3 },
  auditSummary: { high: 1, medium: 2, low: 3 },
};
const ready = { status: 'ready', counts, delta: null } as const;

function world() {
  const decider = createDecider();
  const organisationId = decider.do({ type: 'createOrganisation', name: 'Shop', planId: 'scale' }).id;
  const add = (domain: string) => decider.do({ type: 'createWebsite', organisationId, domain }).website.id;
  const websiteId = add('shop.example');
  const request = (more: { maxPages?: number; seeds?: string[] } = {}) => {
    decider.now += MINUTE_MS;
    return decider.do({ type: 'requestCrawl', websiteId, trigger: 'manual', ...more });
  };
  const start = ({ id }: Crawl, attemptsBefore = 0) =>
    decider.do({ type: 'startCrawl', crawlId: id, attemptsBefore });
  const end = ({ id }: Crawl, outcome: typeof ready | { status: 'failed' | 'blocked'; error: string }) =>
    decider.do({ type: 'endCrawl', crawlId: id, attempt: 1, outcome });
  const cancel = ({ id }: Crawl) => decider.do({ type: 'cancelCrawl', websiteId, crawlId: id });
  return { decider, organisationId, websiteId, add, request, start, end, cancel };
}

test('a crawl goes from queued through processing to ready, with its counts', () => {
  const { decider, websiteId, request, start, end } = world();
  const crawl = request();
  expect(crawl).toMatchObject({ status: 'queued', attempts: 0, source: 'service_crawler', maxPages: 5_000 });
  expect(crawl.id).toMatch(/^20261121T120100_[0-9a-z]{8}$/);
  expect(crawlIdTime(crawl.id)).toBe(decider.now);
  expect(start(crawl)).toMatchObject({ status: 'processing', attempts: 1 });
  expect(latestReadyCrawl(decider.state, websiteId)).toBeNull();
  expect(end(crawl, ready)).toMatchObject({
    status: 'ready',
    counts,
    completedAt: '2026-11-21T12:01:00.000Z',
  });
  expect(latestReadyCrawl(decider.state, websiteId)?.id).toBe(crawl.id);
});

test.each(['failed', 'blocked'] as const)(
  'a crawl that is %s has the reason, and is not the latest',
  (status) => {
    const { decider, websiteId, request, start, end } = world();
    const crawl = request();
    start(crawl);
    expect(end(crawl, { status, error: 'The home page answers 403.' })).toMatchObject({
      ...{ status, error: 'The home page answers 403.', counts: null },
    });
    expect(latestReadyCrawl(decider.state, websiteId)).toBeNull();
  },
);

describe('a website has one open crawl', () => {
  test('a second one is refused while one is queued or running, with its id', () => {
    const { decider, websiteId, request, start, end } = world();
    const crawl = request();
    const refusal = () => decider.refusal({ type: 'requestCrawl', websiteId, trigger: 'auto' });
    expect(refusal()).toMatchObject({ code: 'conflict', reason: 'crawl_open' });
    start(crawl);
    expect(refusal().detail).toContain(`"${crawl.id}" of the website is processing`);
    end(crawl, ready);
    expect(request().status).toBe('queued');
  });

  test('one of another website does not count', () => {
    const { decider, add, request } = world();
    request();
    const other = add('other.example');
    expect(decider.do({ type: 'requestCrawl', websiteId: other, trigger: 'auto' }).websiteId).toBe(other);
  });
});

describe('cancelled', () => {
  test('an open crawl ends at once, and its worker can no longer change it', () => {
    const { decider, request, start, cancel } = world();
    const crawl = request();
    start(crawl);
    expect(cancel(crawl)).toMatchObject({ status: 'cancelled', error: null });
    const said = { type: 'endCrawl', crawlId: crawl.id, attempt: 1, outcome: ready } as const;
    expect(decider.refusal(said).code).toBe('conflict');
    expect(decider.refusal({ type: 'returnCrawl', crawlId: crawl.id, attempt: 1 }).code).toBe('conflict');
  });

  test('one that has ended cannot be, nor one of another website', () => {
    const { decider, websiteId, add, request, start, end } = world();
    const crawl = request();
    const other = add('other.example');
    const foreign = { type: 'cancelCrawl', websiteId: other, crawlId: crawl.id } as const;
    expect(decider.refusal(foreign).code).toBe('not_found');
    start(crawl);
    end(crawl, ready);
    expect(decider.refusal({ type: 'cancelCrawl', websiteId, crawlId: crawl.id })).toMatchObject({
      ...{ code: 'conflict', reason: 'crawl_ended' },
    });
  });
});

test('of several workers only one starts an attempt, and one that lost its attempt ends nothing', () => {
  const { decider, request, start } = world();
  const crawl = request();
  start(crawl);
  const again = { type: 'startCrawl', crawlId: crawl.id, attemptsBefore: 0 } as const;
  expect(decider.refusal(again).code).toBe('conflict');
  const startedAt = decider.state.crawls.get(crawl.id)?.startedAt;
  decider.now += MINUTE_MS;
  expect(start(crawl, 1)).toMatchObject({ attempts: 2, startedAt });
  const late = { type: 'endCrawl', crawlId: crawl.id, attempt: 1, outcome: ready } as const;
  expect(decider.refusal(late).code).toBe('conflict');
});

test('a returned attempt does not count, once; a failed one counts and waits', () => {
  const { decider, request, start } = world();
  const crawl = request();
  start(crawl);
  start(crawl, 1);
  const back = { type: 'returnCrawl', crawlId: crawl.id, attempt: 1 } as const;
  const held = decider.do(back);
  expect(held).toMatchObject({ status: 'processing', returned: [1] });
  expect(countedAttempts(held)).toBe(1);
  expect(decider.refusal(back).code).toBe('conflict');
  const retryAt = '2026-11-21T12:30:00.000Z';
  expect(decider.do({ type: 'postponeCrawl', crawlId: crawl.id, attempt: 2, retryAt })).toMatchObject({
    ...{ status: 'queued', notBefore: retryAt },
  });
  expect(decider.refusal({ type: 'returnCrawl', crawlId: crawl.id, attempt: 2 }).code).toBe('conflict');
  expect(start(crawl, 2)).toMatchObject({ status: 'processing', notBefore: null });
});

test('the newest crawls are kept, and always the two newest ready ones', () => {
  const outcomes = fc.array(fc.constantFrom('ready', 'failed', 'cancelled'), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(outcomes, (list) => {
      const { decider, websiteId, request, start, end, cancel } = world();
      const ids: { id: string; outcome: string }[] = [];
      for (const outcome of list) {
        const crawl = request();
        ids.unshift({ id: crawl.id, outcome });
        if (outcome === 'cancelled') cancel(crawl);
        else {
          start(crawl);
          end(crawl, outcome === 'ready' ? ready : { status: 'failed', error: 'away' });
        }
      }
      const held = crawlsOf(decider.state, websiteId).map(({ id }) => id);
      expect(held.length).toBeLessThanOrEqual(MOST_CRAWLS + 2);
      expect(held.slice(0, MOST_CRAWLS)).toEqual(ids.slice(0, MOST_CRAWLS).map(({ id }) => id));
      const readyOnes = ids.filter(({ outcome }) => outcome === 'ready').slice(0, 2);
      for (const { id } of readyOnes) expect(held).toContain(id);
    }),
    { numRuns: 30 },
  );
});

test('an upload waits for its files, and is not read before', () => {
  const { decider, websiteId, request, start, cancel } = world();
  const announce = { type: 'announceCrawlUpload', websiteId, filename: 'internal_all.csv' } as const;
  const upload = decider.do({ ...announce, hasLinks: true });
  expect(upload).toMatchObject({
    ...{ source: 'upload', status: 'pending_upload', filename: 'internal_all.csv', hasLinks: true },
  });
  expect(decider.refusal({ type: 'requestCrawl', websiteId, trigger: 'manual' }).reason).toBe('crawl_open');
  const begin = { type: 'startCrawl', crawlId: upload.id, attemptsBefore: 0 } as const;
  expect(decider.refusal(begin).code).toBe('conflict');
  const complete = { type: 'completeCrawlUpload', crawlId: upload.id } as const;
  expect(decider.do(complete).status).toBe('queued');
  expect(decider.refusal(complete).reason).toBe('crawl_uploaded');
  expect(start(upload).status).toBe('processing');
  cancel(upload);
  decider.now += MINUTE_MS;
  cancel(decider.do(announce));
  expect(request().source).toBe('service_crawler');
});

test('requests are bounded', () => {
  const { decider, websiteId } = world();
  const ask = (more: object) =>
    decider.refusal({ type: 'requestCrawl', websiteId, trigger: 'manual', ...more } as never).code;
  expect(ask({ maxPages: 99 })).toBe('invalid_request');
  expect(ask({ maxPages: 50_001 })).toBe('invalid_request');
  expect(ask({ seeds: ['file:///etc/passwd'] })).toBe('invalid_request');
  expect(ask({ seeds: Array.from({ length: 21 }, (_, n) => `https://shop.example/${n}`) })).toBe(
    'invalid_request',
  );
});

test('settings apply from the next crawl on, and only given ones change', () => {
  const { decider, websiteId, request, cancel } = world();
  const first = request();
  const change = (more: object) => decider.do({ type: 'changeCrawlSettings', websiteId, ...more });
  change({ autoCrawlMaxPages: 700, queryKeys: ['page', 'id', 'page'] });
  expect(change({ autoCrawl: true })).toMatchObject({
    ...{ autoCrawl: true, autoCrawlMaxPages: 700, renderJs: false, queryKeys: ['id', 'page'] },
  });
  expect(decider.state.crawls.get(first.id)).toMatchObject({ maxPages: 5_000, queryKeys: [] });
  cancel(first);
  expect(request()).toMatchObject({ maxPages: 700, queryKeys: ['id', 'page'] });
  cancel(decider.state.crawls.marked()[0]!);
  expect(request({ maxPages: 100 }).maxPages).toBe(100);
});

test('a website’s erasure removes its crawls and settings permanently', () => {
  const { decider, websiteId, request } = world();
  const crawl = request();
  decider.do({ type: 'changeCrawlSettings', websiteId, autoCrawl: true });
  decider.do({ type: 'eraseWebsite', websiteId });
  expect(decider.state.crawls.size + decider.state.crawlSettings.size).toBe(0);
  expect(decider.refusal({ type: 'startCrawl', crawlId: crawl.id, attemptsBefore: 0 }).code).toBe('conflict');
});

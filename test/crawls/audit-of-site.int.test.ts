import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawlFindings } from '../../shared/reads/crawls/findings/all-crawl-findings.js';
import { ORIGIN, startCrawlWorld } from '../harness/jobs/crawl-world.js';
import { generateSite } from '../harness/site/generate-site.js';
import { auditAgainstSeeds } from './audit-of-site.js';

let world: Awaited<ReturnType<typeof startCrawlWorld>>;
beforeAll(async () => {
  world = await startCrawlWorld();
});
afterAll(() => world?.stop());

test('the audit of a crawled site lists exactly the seeded faults', async () => {
  const site = generateSite({ origin: ORIGIN, pages: 400, perFault: 4, orphans: 10 });
  const crawl = world.newCrawl();
  expect((await world.crawl(site, crawl)).outcome).toEqual({ outcome: 'ready' });
  const { found, seeded } = await auditAgainstSeeds(world.clickhouse, crawl, site.faults);
  // On a busy machine more pages are slow than the seeded ones.
  const slow = (await world.pages(crawl)).filter(({ status, ms }) => status === 200 && ms > 1_000);
  const expected = new Set([...seeded, ...slow.map(({ url }) => `slow_pages ${url}`)]);
  expect(found).toEqual([...expected].toSorted());
  expect(new Set(site.faults.map(({ finding }) => finding))).toEqual(
    new Set(crawlFindings.map(({ key }) => key)),
  );
});

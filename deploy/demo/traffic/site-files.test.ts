import { describe, expect, it } from 'vitest';
import { createCrawlerRules } from '../../../shared/crawlers/crawler-rules.js';
import { DAY_MS } from '../../../shared/durations.js';
import { createGroupFinder, createRuleMatcher, rulesOf } from '../../../shared/robots/match-rules.js';
import { parseRobots } from '../../../shared/robots/parse-robots.js';
import { robotsPolicyOf } from '../../../shared/robots/robots-policy.js';
import { walkSitemaps } from '../../../shared/sitemaps/walk-sitemaps.js';
import { ruleDataOfDay } from '../../../test/harness/rules-of-day.js';
import { givenFiles } from '../../admin/server/given-files.js';
import { type DemoOptions, demoTraffic } from './demo-traffic.js';
import { earlierCrawls } from './earlier-crawls.js';
import { robotsTxt, sitemapFiles } from './site-files.js';

const { identify, verifyByRanges } = createCrawlerRules(ruleDataOfDay('2026-11-21'));

const demo: DemoOptions = {
  seed: 'site files',
  days: 7,
  requestsPerDay: 60_000,
  end: Date.parse('2026-11-21T08:20:00Z'),
  domain: 'example.com',
};
/** Requests of crawlers in the week. */
const asked = [...demoTraffic(demo)]
  .filter(({ bot }) => bot !== '')
  .map(({ bot, actor, target, user_agent, client_ip, timestamp }) => {
    const path = target.split('?', 1)[0]!;
    return { bot, actor, target, path, user_agent, client_ip, timestamp };
  });

describe('robots.txt', () => {
  const file = parseRobots(robotsTxt(demo.domain));
  const groupsFor = createGroupFinder(file);

  /** Number of disallowed requests of crawlers that are verified by ranges, by crawler. */
  function violations(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { user_agent, client_ip, timestamp, target, actor } of asked) {
      const crawler = identify(user_agent);
      if (crawler === null || actor === 'spoofed_bot') continue;
      const policy = robotsPolicyOf({ ...crawler, aiIntent: crawler.aiIntent ?? '' });
      if (policy === null || createRuleMatcher(rulesOf(groupsFor(policy)))(target) === null) continue;
      const isProven = verifyByRanges(crawler.family, client_ip, timestamp) === 'inside';
      const name = isProven ? crawler.name : `unproven ${crawler.name}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  it('is violated every day only by the two verified crawlers that may not fetch the guides', () => {
    const found = violations();
    expect([...found.keys()].sort()).toEqual(['CCBot', 'meta-externalagent']);
    for (const requests of found.values()) expect(requests).toBeGreaterThan(7 * 10);
  });

  it('names the sitemap index', () => {
    expect(file.sitemaps).toEqual(['https://example.com/sitemap.xml']);
  });
});

describe('sitemaps', () => {
  const earlier = earlierCrawls(demo);

  async function listed(): Promise<Set<string>> {
    const files = sitemapFiles(demo).map(({ name, text }) => [`/${name}`, Buffer.from(text)] as const);
    const paths = new Set<string>();
    const walk = await walkSitemaps({
      domain: demo.domain,
      fromRobots: ['https://example.com/sitemap.xml'],
      fetch: givenFiles(new Map(files)),
      signal: new AbortController().signal,
      onUrls: async (urls) => {
        for (const { path, lastmod } of urls) {
          expect(lastmod).not.toBeNull();
          paths.add(path);
        }
      },
    });
    expect(walk).toMatchObject({ complete: true, files: 5, foreignUrls: 0, invalidUrls: 0 });
    expect(walk.urls).toBe(paths.size);
    return paths;
  }

  it('list pages that are crawled, uncrawled for a month, and never crawled; crawlers also fetch unlisted pages', async () => {
    const paths = await listed();
    const crawled = new Set(asked.filter(({ actor }) => actor === 'search_bot').map(({ path }) => path));
    const before = new Set(earlier.map(({ target }) => target));
    const recent = [...paths].filter((path) => crawled.has(path));
    const stale = [...paths].filter((path) => !crawled.has(path) && before.has(path));
    const never = [...paths].filter((path) => !crawled.has(path) && !before.has(path));
    expect(recent.length / paths.size).toBeGreaterThan(0.9);
    expect(stale).toHaveLength(24);
    expect(stale.every((path) => /^\/lookbook\/202[56]-/.test(path))).toBe(true);
    expect(never.filter((path) => path.startsWith('/lookbook/2027-'))).toHaveLength(8);
    expect(never.length / paths.size).toBeLessThan(0.02);
    const unlisted = [...crawled].filter((path) => !paths.has(path));
    expect(unlisted.filter((path) => path.startsWith('/hire/calendar/')).length).toBeGreaterThan(100);
  });

  it('list pages that crawlers fetched only long before', () => {
    for (const { timestamp, user_agent, client_ip, actor, status, bot } of earlier) {
      const days = (demo.end - timestamp) / DAY_MS;
      expect(days).toBeGreaterThan(34);
      expect(days).toBeLessThan(81);
      expect(actor).toBe('search_bot');
      const crawler = identify(user_agent);
      expect(crawler?.name).toBe(bot);
      // null: ranges alone give no verdict.
      expect(verifyByRanges(crawler!.family, client_ip, timestamp)).not.toBe('outside');
      expect([200, 500, 502, 504]).toContain(status);
    }
    const times = earlier.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(earlierCrawls(demo)).toEqual(earlier);
  });
});

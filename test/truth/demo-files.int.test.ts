import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebsiteRead } from '../../services/api/operation/operation.js';
import type { ScopeInput } from '../../services/api/operation/resolve-scope.js';
import { getRobots } from '../../services/api/operations/seo/get-robots.js';
import { getSitemap } from '../../services/api/operations/seo/get-sitemap.js';
import { getPageImportance } from '../../services/api/operations/urls/get-page-importance.js';
import { getUrl } from '../../services/api/operations/urls/get-url.js';
import { searchUrls } from '../../services/api/operations/urls/search-urls.js';
import { importanceJob } from '../../services/jobs/importance/importance-job.js';
import { insertRobotsFetch } from '../../shared/reads/robots/robots-sql.js';
import { insertSitemapFetch, insertSitemapUrls } from '../../shared/reads/sitemaps/sitemap-writes.js';
import { DAY, HOUR } from './counting.js';
import { DEMO_NOW, type DemoWorld, DOMAIN, startDemoWorld } from './demo-world.js';
import { type RobotsVersion, robotsText, violations } from './expected-robots.js';
import { type CoverageAsked, type ListedPage, sitemapCoverage } from './expected-sitemap.js';
import { type AllRows, pageImportance, urlLogs, urlSearch, urlSections } from './expected-urls.js';
import { differences } from './same-answer.js';

/**
 * Compares reads of the demo's URLs, robots.txt and sitemaps with counts over the generated requests
 * (demo-world.ts).
 */

let world: DemoWorld;
beforeAll(async () => {
  world = await startDemoWorld(3_000);
}, 600_000);
afterAll(() => world?.stop());

const all = (now = DEMO_NOW): AllRows => ({ rows: world.requests.shop!, verdicts: [], now });

function ask(operation: unknown, given: Record<string, string>, now = DEMO_NOW) {
  const { query, run } = operation as WebsiteRead;
  return run(query.parse(given) as never, { ...world.contextOf('shop'), now }) as Promise<any>;
}

describe('after the nightly build', () => {
  beforeAll(async () => {
    const deps = { clickhouse: world.clickhouse, now: () => DEMO_NOW };
    await importanceJob(() => 'build').run({ id: 'shop' }, deps);
  }, 600_000);

  test('page-importance equals a count over the generated requests, for every family', async () => {
    const first = await ask(getPageImportance, {});
    expect(differences(first, pageImportance(all(), { limit: 200 }))).toEqual([]);
    expect(first.bots).toEqual(expect.arrayContaining(['Google', 'Bing', 'Yandex', 'Seznam']));
    for (const bot of first.bots) {
      const answer = await ask(getPageImportance, { bot, full: '1' });
      expect(differences(answer, pageImportance(all(), { bot, limit: 100_000 }))).toEqual([]);
    }
  });

  test.each(['', '/', '/hire/', 'boot', '/C/Camping', '2026', '/search', 'nowhere'])(
    'urls/search for "%s" does',
    async (q) => {
      const answer = await ask(searchUrls, { q, limit: '50' });
      expect(differences(answer, urlSearch(all(), q, 50))).toEqual([]);
    },
  );

  test('url does, for the most requested pages of each kind of visitor', async () => {
    const rows = world.requests.shop!;
    const most = (kind: string) => {
      const counts = new Map<string, number>();
      for (const { traffic_class, path } of rows)
        if (traffic_class === kind) counts.set(path, (counts.get(path) ?? 0) + 1);
      return [...counts].sort(([, a], [, b]) => b - a)[1]![0];
    };
    const kinds = ['human', 'search_bot', 'ai_bot', 'spoofed_bot', 'undeclared_agent'];
    const paths = new Set(['/', '/hire/tent-single-set', '/.env', '/nowhere', ...kinds.map(most)]);
    for (const path of paths)
      for (const window of [{ hours: '168' }, { start: '2026-10-31T07:05:03Z', end: '2026-11-02' }])
        await expectTrue(path, window);
  });

  async function expectTrue(path: string, window: Record<string, string>) {
    const answer = await ask(getUrl, { path, ...window });
    const { logs, window: told, data_since, complete_since, search_bots, sitemap, importance } = answer;
    const truth = world.truthOf('shop', getUrl.query.parse({ path, ...window }) as unknown as ScopeInput);
    expect([path, differences(logs, urlLogs(truth, path))]).toEqual([path, []]);
    const sections = urlSections(truth, all(), path);
    expect([
      path,
      differences({ window: told, data_since, complete_since, search_bots, sitemap, importance }, sections),
    ]).toEqual([path, []]);
  }
});

/** Found before the week, and in its middle. */
const versions: readonly RobotsVersion[] = [
  {
    from: DEMO_NOW - 9 * DAY,
    groups: [
      {
        agents: ['*'],
        rules: [
          { type: 'disallow', path: '/cart' },
          { type: 'disallow', path: '/hire/calendar/' },
          { type: 'allow', path: '/hire/calendar/2026/' },
          { type: 'disallow', path: '/media/products/*-800.webp$' },
        ],
      },
      {
        agents: ['GPTBot', 'ClaudeBot'],
        rules: [
          { type: 'disallow', path: '/blog/' },
          { type: 'allow', path: '/blog/how-to-*' },
        ],
      },
    ],
  },
  {
    from: DEMO_NOW - 3 * DAY - 5 * HOUR,
    groups: [
      {
        agents: ['Googlebot'],
        rules: [
          { type: 'disallow', path: '/*?colour=' },
          { type: 'allow', path: '/*?colour=*&size=' },
        ],
      },
      {
        agents: ['*'],
        rules: [
          { type: 'disallow', path: '/hire/' },
          { type: 'disallow', path: '/*?' },
          { type: 'allow', path: '/*?page=2$' },
        ],
      },
    ],
  },
];

describe('robots.txt', () => {
  beforeAll(async () => {
    const answered = { httpStatus: 200, finalUrl: `https://${DOMAIN}/robots.txt`, problem: '' };
    for (const [index, { from, groups }] of versions.entries()) {
      const version = { hash: `hash-${index}`, content: robotsText(groups), isTruncated: false };
      const fetch = { fetchedAt: from, outcome: 'found', hash: version.hash, ...answered } as const;
      await insertRobotsFetch(world.clickhouse, 'shop', fetch, version);
    }
    const failed = {
      outcome: 'unreachable',
      hash: '',
      httpStatus: 0,
      finalUrl: '',
      problem: 'slow',
    } as const;
    await insertRobotsFetch(world.clickhouse, 'shop', { fetchedAt: DEMO_NOW - DAY, ...failed }, null);
  });

  const windows = [
    { hours: '168' },
    { hours: '24' },
    { start: '2026-10-29T07:05:03Z', end: '2026-11-01T12:00:00.001Z' },
  ];
  const bots = [undefined, 'googlebot', 'google', 'gptbot', 'bing', 'adsbot-google', 'chatgpt-user'];

  test.each(windows)(
    'violations equal a comparison of each request with the version of its time: %j',
    async (window) => {
      for (const bot of bots) {
        const given = { ...window, ...(bot === undefined ? {} : { bot }) } as Record<string, string>;
        const truth = world.truthOf('shop', getRobots.query.parse(given) as unknown as ScopeInput);
        const expected = violations(truth, versions, bot);
        const answer = await ask(getRobots, given);
        const { violations_total, violations_complete, judged_since, violation_summary } = answer;
        const told = {
          violations: answer.violations.map(({ example_url: _, ...one }: { example_url: string }) => one),
          violations_total,
          violations_complete,
          judged_since,
          violation_summary,
        };
        const found = { ...expected, violations: expected.violations.slice(0, 1_000) };
        expect([bot, differences(told, found)]).toEqual([bot, []]);
        if (bot === undefined) expect(violations_total).toBeGreaterThan(10);
        if (bot === 'chatgpt-user' || bot === 'adsbot-google') expect(violations_total).toBe(0);
      }
    },
  );

  test('is the last one that was found, even if the last fetch failed', async () => {
    const answer = await ask(getRobots, { hours: '168' });
    expect(answer).toMatchObject({ status: 'unreachable', using_saved: true, is_new_version: true });
    expect(answer.raw_content).toBe(robotsText(versions[1]!.groups));
  });
});

describe('sitemaps', () => {
  /** Four weeks after the week's middle: fetches of its first half are stale. */
  const LATER = DEMO_NOW + 26 * DAY;
  /** By the real clock: listed URLs expire after 400 days. */
  const FIRST = Math.floor(Date.now() / DAY) * DAY - 5 * DAY;
  const LAST = FIRST + 4 * DAY;
  let listed: ListedPage[] = [];

  beforeAll(async () => {
    const sold = world.requests.shop!.filter(
      ({ path, status }) => status === 200 && /^\/(p|blog|hire)\//.test(path),
    );
    const paths = [...new Set(sold.map(({ path }) => path)), '/p/nobody-has-seen-it'].sort();
    const pages = paths.map((path, index) => ({
      path,
      query: '',
      url: `https://${DOMAIN}${path}`,
      sitemap: `https://${DOMAIN}/sitemap-${index % 3}.xml`,
      lastmod: index % 2 === 0 ? null : FIRST - index * 60_000,
    }));
    const before = pages.filter((_, index) => index % 4 !== 0);
    const after = pages.filter((_, index) => index % 3 !== 0);
    await fetched(FIRST, before);
    await fetched(LAST, after);
    listed = after.map((page) => ({ ...page, firstSeen: before.includes(page) ? FIRST : LAST }));
  });

  async function fetched(fetchedAt: number, urls: readonly Omit<ListedPage, 'firstSeen'>[]) {
    const fetch = { websiteId: 'shop', fetchedAt };
    await insertSitemapUrls(world.clickhouse, fetch, urls, 0);
    const tally = {
      files: 3,
      failedFiles: 0,
      urls: urls.length,
      foreignUrls: 0,
      invalidUrls: 0,
      problems: [],
    };
    const walk = { complete: true, reason: null, ...tally };
    await insertSitemapFetch(world.clickhouse, fetch, walk, fetchedAt + 1);
  }

  const asked: CoverageAsked[] = [
    ...['all', 'never_crawled', 'recently_crawled', 'stale', 'not_in_sitemap'].map((status) => ({
      status,
      sort: 'path',
      descending: status === 'stale',
      size: 100,
    })),
    { status: 'all', sort: 'times_crawled', descending: true, size: 200 },
    { status: 'stale', sort: 'last_crawled', descending: false, size: 200 },
    { status: 'all', sort: 'first_seen', descending: true, size: 50 },
  ];

  test.each([
    ['today', DEMO_NOW],
    ['four weeks later', LATER],
  ])('coverage equals a count over the fetches of search crawlers: %s', async (_, now) => {
    for (const one of asked) {
      const given = {
        status: one.status,
        sort: one.sort,
        sort_dir: one.descending ? 'desc' : 'asc',
        page_size: String(one.size),
      };
      const { crawl_basis, totals, urls, total, total_pages } = await ask(getSitemap, given, now);
      const expected = sitemapCoverage(listed, { ...all(now), domain: DOMAIN }, one);
      expect([one, differences({ crawl_basis, totals, urls, total, total_pages }, expected)]).toEqual([
        one,
        [],
      ]);
    }
  });

  test('have pages with every status', async () => {
    const { totals } = await ask(getSitemap, {}, LATER);
    for (const [name, pages] of Object.entries(totals)) expect(pages, name).toBeGreaterThan(10);
  });
});

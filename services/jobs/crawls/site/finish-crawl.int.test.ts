import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { crawlFindings } from '../../../../shared/reads/crawls/findings/all-crawl-findings.js';
import type { CrawlOf, CrawlPage } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import {
  blocked,
  crawledPage,
  failed,
  noindex,
  redirectTo,
  type StoredCrawl,
  storeCrawl,
  url,
} from '../../../../test/harness/stored-crawl.js';
import { writeCrawlFinding } from '../rows/crawl-findings.js';
import { writeCrawlPages, writeCrawlRanks } from '../rows/crawl-writes.js';
import { finishCrawl } from './finish-crawl.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 180_000);
afterAll(() => engine?.stop());

const findingRow = z.object({
  finding: z.string(),
  path: z.string(),
  problem: z.string(),
  value: z.number(),
  text: z.string(),
  examples: z.array(z.number()),
});

let crawls = 0;
const newCrawl = () => ({ websiteId: 'web_1', crawlId: `crawl-${crawls++}` });

const ofCrawl = ({ websiteId, crawlId }: CrawlOf) => ({ website_id: websiteId, crawl_id: crawlId });

/** The stored findings of the crawl. */
function findingsOf(crawl: CrawlOf) {
  return engine.clickhouse.read({
    name: 'test',
    sql: `SELECT f.finding AS finding, p.path AS path, f.problem AS problem, f.value AS value, f.text AS text, f.examples AS examples
FROM (SELECT * FROM crawl_findings FINAL WHERE website_id = {website_id: String} AND crawl_id = {crawl_id: String}) AS f
LEFT ANY JOIN (SELECT page, path FROM crawl_pages WHERE website_id = {website_id: String} AND crawl_id = {crawl_id: String}) AS p ON p.page = f.page
ORDER BY finding, f.page`,
    params: ofCrawl(crawl),
    row: findingRow,
  });
}

async function finish(stored: StoredCrawl, crawl = newCrawl()) {
  const { clickhouse } = engine;
  await storeCrawl(clickhouse, crawl, stored);
  const finished = await finishCrawl(crawl, { reader: clickhouse, writer: clickhouse });
  const found = await findingsOf(crawl);
  const ranks = await clickhouse.read({
    name: 'test',
    sql: 'SELECT page, depth, inlinks, outlinks, pagerank FROM crawl_ranks FINAL WHERE website_id = {website_id: String} AND crawl_id = {crawl_id: String} ORDER BY page',
    params: ofCrawl(crawl),
    row: z.object({
      page: z.number(),
      depth: z.number(),
      inlinks: z.number(),
      outlinks: z.number(),
      pagerank: z.number(),
    }),
  });
  return { crawl, finished, found, ranks };
}

/** A site with the home page and pages that it links to; each is `/<name>`. */
function site(
  pages: Readonly<Record<string, Partial<CrawlPage>>>,
  further: StoredCrawl['links'] = [],
): StoredCrawl {
  const names = Object.keys(pages);
  return {
    pages: [
      crawledPage(0, '/'),
      ...names.map((name, index) => crawledPage(index + 1, `/${name}`, pages[name])),
    ],
    links: [...names.map((_, index) => [0, index + 1] as const), ...further],
  };
}

/** The result of one finding for a site. */
async function reportOne(key: string, stored: StoredCrawl) {
  const crawl = newCrawl();
  const finding = crawlFindings.find((one) => one.key === key)!;
  await storeCrawl(engine.clickhouse, crawl, stored);
  await writeCrawlFinding(engine.clickhouse, crawl, finding);
  return findingsOf(crawl);
}

const unlinked = (stored: StoredCrawl): StoredCrawl => ({ ...stored, links: [] });
const elsewhere = (path: string): Partial<CrawlPage> => ({
  ...{ canonical: path.startsWith('/') ? url(path) : path, indexable: false, unindexableReason: 'canonical' },
});
const image: Partial<CrawlPage> = {
  ...{
    contentType: 'image/png',
    indexable: false,
    unindexableReason: 'content_type',
    canonical: '',
    title: '',
  },
};
const alternates = (...langs: readonly (readonly [string, string])[]): Partial<CrawlPage> => ({
  hreflangs: langs.map(([lang, path]) => ({ lang, url: url(path) })),
});

interface Case {
  readonly key: string;
  readonly site: StoredCrawl;
  /** Reported paths, with the problem if the finding has several. */
  readonly reported: readonly string[];
}

const cases: readonly Case[] = [
  {
    key: 'broken_links',
    site: site({
      gone: failed(404),
      down: failed(500),
      away: { ...failed(0), error: 'timeout' },
      busy: failed(429),
      sound: {},
      old: redirectTo('/'),
      shut: { ...blocked, status: 0, error: 'robots' },
    }),
    reported: ['/gone client_error', '/down server_error', '/away no_answer'],
  },
  { key: 'broken_links', site: unlinked(site({ gone: failed(404) })), reported: [] },
  { key: 'broken_links', site: { ...site({ gone: failed(404) }), links: [[1, 1]] }, reported: [] },
  { key: 'links_to_redirects', site: site({ old: redirectTo('/'), kept: failed(304) }), reported: ['/old'] },
  { key: 'links_to_redirects', site: unlinked(site({ old: redirectTo('/') })), reported: [] },
  {
    key: 'redirect_chains',
    site: site({
      a: redirectTo('/b'),
      b: redirectTo('/c'),
      c: redirectTo('/d'),
      d: {},
      one: redirectTo('/d'),
      off: redirectTo('https://elsewhere.example/'),
    }),
    reported: ['/a chain'],
  },
  {
    key: 'redirect_chains',
    site: site({
      a: redirectTo('/b'),
      b: redirectTo('/c'),
      c: redirectTo('/a'),
      self: redirectTo('/self'),
      into: redirectTo('/a'),
    }),
    reported: ['/a loop', '/b loop', '/c loop', '/self loop', '/into chain'],
  },
  {
    key: 'redirect_chains',
    site: site({ a: redirectTo('/b'), b: redirectTo('https://elsewhere.example/') }),
    reported: ['/a chain'],
  },
  {
    key: 'canonical_issues',
    site: site({
      gone: failed(404),
      old: redirectTo('/'),
      hidden: noindex,
      shut: blocked,
      other: elsewhere('/'),
      'to-gone': elsewhere('/gone'),
      'to-old': elsewhere('/old'),
      'to-hidden': elsewhere('/hidden'),
      'to-shut': elsewhere('/shut'),
      'to-other': elsewhere('/other'),
      'to-host': elsewhere('https://elsewhere.example/x'),
      unknown: elsewhere('/nobody-knows'),
      plain: { canonical: '' },
      bare: elsewhere('https://example.com/bare'),
    }),
    reported: [
      '/to-gone error',
      '/to-old redirect',
      '/to-hidden noindex',
      '/to-shut robots',
      '/to-other canonical',
      '/to-host other_host',
    ],
  },
  {
    key: 'noindex_pages',
    site: site({
      hidden: noindex,
      header: { ...noindex, metaRobots: '', xRobotsTag: 'noindex' },
      gone: failed(404),
      sound: {},
    }),
    reported: ['/hidden', '/header'],
  },
  { key: 'robots_blocked', site: site({ shut: blocked, sound: {} }), reported: ['/shut'] },
  { key: 'robots_blocked', site: unlinked(site({ shut: blocked })), reported: [] },
  {
    key: 'duplicate_titles',
    site: site({
      a: { title: 'Same' },
      b: { title: 'SAME' },
      german: { title: 'Same', lang: 'de' },
      hidden: { ...noindex, title: 'Same' },
      'list?page=2': { title: 'Same' },
      empty: { title: '' },
      'too-empty': { title: '' },
    }),
    reported: ['/a', '/b'],
  },
  {
    key: 'duplicate_descriptions',
    site: site({
      a: { description: 'Same' },
      b: { description: 'same' },
      empty: { description: '' },
      'too-empty': { description: '' },
    }),
    reported: ['/a', '/b'],
  },
  {
    key: 'missing_titles',
    site: site({
      a: { title: '', titles: 0 },
      image,
      gone: failed(404),
      hidden: { ...noindex, title: '' },
      'page/2': { title: '' },
      sound: {},
    }),
    reported: ['/a'],
  },
  {
    key: 'missing_descriptions',
    site: site({ a: { description: '' }, hidden: { ...noindex, description: '' }, sound: {} }),
    reported: ['/a'],
  },
  {
    key: 'long_titles',
    site: site({ long: { title: 'é'.repeat(61) }, fits: { title: 'é'.repeat(60) } }),
    reported: ['/long'],
  },
  {
    key: 'missing_h1',
    site: site({ none: { h1s: 0, h1: '' }, empty: { h1: '' }, sound: {} }),
    reported: ['/none', '/empty'],
  },
  {
    key: 'multiple_h1',
    site: site({ two: { h1s: 2 }, one: {}, hidden: { ...noindex, h1s: 2 } }),
    reported: ['/two'],
  },
  {
    key: 'thin_pages',
    site: site({
      thin: { words: 99 },
      enough: { words: 100 },
      japanese: { words: 3, lang: 'ja' },
      han: { words: 3, lang: '', title: '漢字' },
      hidden: { ...noindex, words: 3 },
    }),
    reported: ['/thin'],
  },
  {
    key: 'hreflang_issues',
    site: site({
      de: alternates(['de', '/de'], ['en', '/en'], ['x-default', '/en']),
      en: alternates(['de', '/de'], ['en', '/en'], ['x-default', '/en']),
      fr: alternates(['en', '/en'], ['fr', '/fr']),
      es: alternates(['en', '/gone'], ['es', '/es']),
      gb: alternates(['en-uk', '/gb']),
      gone: failed(404),
      pt: alternates(['pt-BR', '/pt'], ['fr', '/nobody-knows'], ['zh-hant-tw', '/pt'], ['es-419', '/pt']),
      hidden: { ...noindex, ...alternates(['en', '/en']) },
    }),
    reported: ['/fr no_return', '/es error', '/gb language'],
  },
  {
    key: 'slow_pages',
    site: site({
      slow: { ms: 1_001 },
      fine: { ms: 1_000 },
      'no-type': { contentType: '', ms: 1_001 },
      'upper-case': { contentType: 'Text/HTML', ms: 1_001 },
      'of-sitebulb': { contentType: 'html', ms: 1_001 },
      image: { ...image, ms: 9_000 },
      down: { ...failed(500), ms: 9_000 },
    }),
    reported: ['/slow', '/no-type', '/upper-case', '/of-sitebulb'],
  },
  {
    key: 'large_pages',
    site: site({
      large: { bytes: 1_000_001 },
      fine: { bytes: 1_000_000 },
      image: { ...image, bytes: 9_000_000 },
    }),
    reported: ['/large'],
  },
  {
    key: 'sitemap_issues',
    site: site(
      Object.fromEntries(
        Object.entries({
          gone: failed(404),
          old: redirectTo('/'),
          hidden: noindex,
          shut: blocked,
          other: elsewhere('/'),
          sound: {},
        }).flatMap(([name, page]) => [
          [name, { ...page, inSitemap: true }],
          [`not-listed-${name}`, page],
        ]),
      ),
    ),
    reported: ['/gone error', '/old redirect', '/hidden noindex', '/shut robots', '/other canonical'],
  },
];

describe('findings of a crawl', () => {
  test('each of the eighteen has a case', () => {
    expect(new Set(cases.map(({ key }) => key))).toEqual(new Set(crawlFindings.map(({ key }) => key)));
    expect(crawlFindings).toHaveLength(18);
  });

  test.each(cases)(
    '$key reports $reported and nothing else',
    async ({ key, site: stored, reported: expected }) => {
      const reported = await reportOne(key, stored);
      expect(reported.map(({ path, problem }) => `${path} ${problem}`.trim())).toEqual(expected);
      const { problems } = crawlFindings.find((finding) => finding.key === key)!;
      const known = problems.length === 0 ? [''] : problems;
      expect(reported.filter(({ problem }) => !known.includes(problem))).toEqual([]);
    },
  );

  test('a sound site has none', async () => {
    const { found, finished } = await finish(site({ a: {}, b: { inSitemap: true }, moved: {} }));
    expect(found).toEqual([]);
    expect(finished.auditSummary).toEqual({ high: 0, medium: 0, low: 0 });
  });

  test('a row has the count, the text at fault and the first affected pages', async () => {
    const { found } = await finish(
      site({ gone: failed(404), a: { title: 'Same' }, b: { title: 'Same' }, old: redirectTo('/a') }, [
        ...[2, 3, 4].map((from) => [from, 1] as const),
      ]),
    );
    const row = (key: string) => found.find(({ finding }) => finding === key);
    expect(row('broken_links')).toMatchObject({ value: 4, examples: [0, 2, 3] });
    expect(row('duplicate_titles')).toMatchObject({ path: '/a', value: 2, text: 'Same', examples: [3] });
    expect(row('links_to_redirects')).toMatchObject({ value: 1, text: url('/a'), examples: [0] });
  });
});

describe('the end of a crawl', () => {
  const stored = site(
    {
      a: {},
      b: { title: '' },
      gone: failed(404),
      deep: { unindexableReason: '' },
      shut: blocked,
      orphan: {},
    },
    [[1, 4]],
  );
  const shaped = {
    ...stored,
    links: stored.links!.filter(([from, to]) => !(from === 0 && (to === 4 || to === 6))),
  };

  test('counts fetched, indexable and orphan pages, and the greatest depth', async () => {
    const { finished, ranks } = await finish(shaped);
    expect(finished).toEqual({
      ...{ urlCount: 6, indexableCount: 5, status200: 5, unlinkedCount: 1, maxDepth: 2 },
      auditSummary: { high: 2, medium: 1, low: 0 },
    });
    expect(ranks.map(({ depth, inlinks, outlinks }) => [depth, inlinks, outlinks])).toEqual([
      [0, 0, 4],
      [1, 1, 1],
      [1, 1, 0],
      [1, 1, 0],
      [2, 1, 0],
      [1, 1, 0],
      [-1, 0, 0],
    ]);
    expect(Math.max(...ranks.map(({ pagerank }) => pagerank))).toBe(1);
  });

  test('repeating it changes nothing', async () => {
    const crawl = newCrawl();
    const first = await finish(shaped, crawl);
    expect(await finish(shaped, crawl)).toEqual(first);
  });

  test('the ranks include pages that became known after an attempt that ended too early', async () => {
    const crawl = newCrawl();
    const { clickhouse } = engine;
    await finish(site({ a: {} }), crawl);
    await writeCrawlPages(clickhouse, crawl, [crawledPage(2, '/late')]);
    const { urlCount, unlinkedCount } = await finishCrawl(crawl, { reader: clickhouse, writer: clickhouse });
    expect({ urlCount, unlinkedCount }).toEqual({ urlCount: 3, unlinkedCount: 1 });
  });

  test('a crawl of another website changes nothing in it, and a crawl without pages is empty', async () => {
    const own = await finish(site({ a: {} }));
    const other = { ...own.crawl, websiteId: 'web_2' };
    await finish(site({ gone: failed(404) }), other);
    const { clickhouse } = engine;
    const again = await finishCrawl(own.crawl, { reader: clickhouse, writer: clickhouse });
    expect(again).toEqual(own.finished);
    expect(await finishCrawl(newCrawl(), { reader: clickhouse, writer: clickhouse })).toEqual({
      ...{ urlCount: 0, indexableCount: 0, status200: 0, unlinkedCount: 0, maxDepth: null },
      auditSummary: { high: 0, medium: 0, low: 0 },
    });
  });
});

test('an upload with counts of links but no links has findings about broken linked pages', async () => {
  const crawl = newCrawl();
  const { clickhouse } = engine;
  await storeCrawl(clickhouse, crawl, unlinked(site({ gone: failed(404), forgotten: failed(404) })));
  const ranks = [3, 0].map((inlinks, index) => ({
    ...{ page: index + 1, depth: null, inlinks, outlinks: 0, pagerank: 0 },
  }));
  await writeCrawlRanks(clickhouse, crawl, ranks);
  const basis = { ranks: 'as_stored', withoutData: new Set<string>() } as const;
  await finishCrawl(crawl, { reader: clickhouse, writer: clickhouse }, basis);
  const reported = (await findingsOf(crawl)).filter(({ finding }) => finding === 'broken_links');
  expect(reported).toMatchObject([{ path: '/gone', value: 3, examples: [] }]);
});

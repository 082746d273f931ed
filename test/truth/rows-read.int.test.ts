import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unknownBots } from '../../services/api/operations/bots/unknown-bots.js';
import { pathExplorer } from '../../services/api/operations/seo/path-explorer.js';
import { urlSearch } from '../../services/api/operations/urls/url-search.js';
import { importanceJob } from '../../services/jobs/importance/importance-job.js';
import { HOUR_MS } from '../../shared/durations.js';
import { aiFunnel } from '../../shared/reads/ai/ai-funnel.js';
import { aiLanding } from '../../shared/reads/ai/ai-landing.js';
import { llms } from '../../shared/reads/ai/llms.js';
import { botsAccess } from '../../shared/reads/bots/bot-access.js';
import { bots } from '../../shared/reads/bots/bots.js';
import { budgetUrls } from '../../shared/reads/seo/budget-urls.js';
import { pageImportance } from '../../shared/reads/seo/page-importance.js';
import { seo } from '../../shared/reads/seo/seo.js';
import { statusConsistency } from '../../shared/reads/seo/status-consistency.js';
import { sitemapCoverage } from '../../shared/reads/sitemaps/sitemap-coverage.js';
import { insertSitemapFetch, insertSitemapUrls } from '../../shared/reads/sitemaps/sitemap-writes.js';
import { rollingWindow, type Scope } from '../../shared/reads/sql/scope.js';
import { devices } from '../../shared/reads/traffic/devices.js';
import { geography } from '../../shared/reads/traffic/geography.js';
import { ips } from '../../shared/reads/traffic/ips.js';
import { referrers } from '../../shared/reads/traffic/referrers.js';
import { statusCodes } from '../../shared/reads/traffic/status-codes.js';
import { summary } from '../../shared/reads/traffic/summary.js';
import { traffic } from '../../shared/reads/traffic/traffic.js';
import { urlPatterns } from '../../shared/reads/url-patterns/url-patterns.js';
import { paths } from '../../shared/reads/urls/paths.js';
import { url } from '../../shared/reads/urls/url.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { countReads } from '../harness/count-reads.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';

/**
 * The cost of a read of a current window: statements, and rows that the engine reads for them.
 *
 * Every request of the website has one of the same few keys, so a rollup is equally long with a thousand or a
 * million requests. So a read of raw requests is detected. Some claims are pending, sitemaps list a page and a
 * build exists, so that these reads run all their statements.
 */

const NOW = Date.UTC(2026, 10, 3, 14, 37, 21, 123);
const REQUESTS = 600_000;
/** A statement reads some granules (8,192 rows) of each of its tables, regardless of their content. */
const MOST_ROWS_A_STATEMENT = 60_000;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  await engine.clickhouse.command(
    `INSERT INTO requests (website_id, timestamp, received_at, log_offset, source, client_ip, method, path, file_type, status,
       bytes_sent, time_taken_ms, traffic_class, is_bot, bot_name, bot_family, bot_category, bot_verification, country, referrer_class,
       browser, os, device_type, retention_days)
     SELECT 'busy', fromUnixTimestamp64Milli(${NOW} - toInt64(number) * ${Math.floor((14 * 24 * HOUR_MS) / REQUESTS)}), now(), number, 'loglane',
       toIPv6(concat('::ffff:192.0.2.', toString(number % 50))), 'GET', concat('/', toString(number % 40)), 'html', 200, 100, 5,
       if(number % 3 = 0, 'search_bot', 'human'), number % 3 = 0, if(number % 3 = 0, 'Googlebot', ''), if(number % 3 = 0, 'Google', ''),
       if(number % 3 = 0, 'search', ''), multiIf(number % 3000 = 0, 'pending', number % 3 = 0, 'verified', ''), 'DE', 'direct', 'Firefox', 'Linux', 'desktop', 3650
     FROM numbers(${REQUESTS})`,
  );
  const verdict = { websiteId: 'busy', family: 'Google', clientIp: '192.0.2.0', status: 'verified' } as const;
  await insertVerdicts(engine.clickhouse, [{ ...verdict, decidedAt: NOW }], 'verdict');
  // Its rows expire by the engine's own clock.
  const fetch = { websiteId: 'busy', fetchedAt: Date.now() };
  const listed = {
    path: '/3',
    query: '',
    url: 'https://e.example/3',
    sitemap: 'https://e.example/s.xml',
    lastmod: null,
  };
  await insertSitemapUrls(engine.clickhouse, fetch, [listed], 0);
  const tally = { files: 1, failedFiles: 0, urls: 1, foreignUrls: 0, invalidUrls: 0, problems: [] };
  await insertSitemapFetch(engine.clickhouse, fetch, { complete: true, reason: null, ...tally }, Date.now());
  const build = importanceJob(() => 'build');
  await build.run({ id: 'busy' }, { clickhouse: engine.clickhouse, now: () => NOW });
}, 180_000);
afterAll(() => engine?.stop());

const scopeOf = (hours: number): Scope => ({
  websiteId: 'busy',
  window: rollingWindow(hours * HOUR_MS, NOW),
  filters: {},
});

/** Requests of the cut hours: up to an hour at the start of the window, and at the start of the one before. */
const cutHours = (hours: number) => {
  const { start } = rollingWindow(hours * HOUR_MS, NOW);
  const hourOf = (at: number) => Math.floor(at / HOUR_MS) * HOUR_MS;
  return [start, start - hours * HOUR_MS].map((at) => [hourOf(at), hourOf(at) + HOUR_MS] as const);
};

/** The raw ranges of a statement that are not in one of these hours. */
function rangesOutside(params: Readonly<Record<string, unknown>>, within: ReturnType<typeof cutHours>) {
  return Object.entries(params)
    .filter(([name]) => /raw_start_\d+$/.test(name))
    .map(([name, start]) => [Number(start), Number(params[name.replace('start', 'end')])] as const)
    .filter(([start, end]) => !within.some(([from, to]) => start >= from && end <= to));
}

type Read = (reader: ClickHouseReader, scope: Scope) => Promise<object>;

const all = { params_filter: 'all' } as const;

/** These read the requests of some instants, by the primary key. */
const byInstant: ReadonlySet<string> = new Set(['bots_unknown.user_agents']);

/** All reads of a website share its rows until its data changes (keep-statements.ts). */
const KEPT = 'verdicts.late';

const reads: [name: string, statements: number, read: Read][] = [
  ['summary', 4, (reader, scope) => summary.read(reader, scope, {})],
  ['traffic', 5, (reader, scope) => traffic.read(reader, scope, {})],
  ['status-codes', 2, (reader, scope) => statusCodes.read(reader, scope, {})],
  ['bots', 4, (reader, scope) => bots.read(reader, scope, {})],
  ['bots/access', 3, (reader, scope) => botsAccess.read(reader, scope, { limit: 200 })],
  ['paths', 4, (reader, scope) => paths.read(reader, scope, { limit: 100 })],
  ['ips', 6, (reader, scope) => ips.read(reader, scope, { limit: 100 })],
  ['geography', 2, (reader, scope) => geography.read(reader, scope, {})],
  ['devices', 2, (reader, scope) => devices.read(reader, scope, {})],
  ['seo', 2, (reader, scope) => seo.read(reader, scope, all)],
  [
    'seo/budget-urls',
    3,
    (reader, scope) => budgetUrls.read(reader, scope, { ...all, directory: '/', page: 1, page_size: 50 }),
  ],
  ['seo/url-patterns', 4, (reader, scope) => urlPatterns.read(reader, scope, { ...all, min_urls: 3 })],
  ['seo/path-explorer', 4, (reader, scope) => pathExplorer.read(reader, scope, { ...all, limit: 100 })],
  [
    'seo/status-consistency',
    4,
    (reader, scope) => statusConsistency.read(reader, scope, { ...all, min_requests: 3, limit: 100 }),
  ],
  ['referrers', 2, (reader, scope) => referrers.read(reader, scope, { limit: 100 })],
  [
    'seo/sitemap',
    6,
    (reader, { websiteId }) =>
      sitemapCoverage.read(
        reader,
        { websiteId, now: NOW },
        {
          domain: 'e.example',
          fetchesWebsites: true,
          status: 'all',
          sort: 'path',
          descending: false,
          page: 1,
          page_size: 50,
        },
      ),
  ],
  ['llms', 7, (reader, scope) => llms.read(reader, scope, { limit: 100 })],
  [
    'ai-funnel',
    4,
    (reader, scope) => aiFunnel.read(reader, scope, { min_impressions: 50, connection: null }),
  ],
  [
    'ai-landing but what was opened next',
    6,
    (reader, scope) =>
      aiLanding.read(reader, scope, { limit: 200, detection: { referrerHosts: [], utmSources: [] } }),
  ],
  ['bots/unknown', 7, (reader, scope) => unknownBots.read(reader, scope, { limit: 100 })],
  [
    'url but its requests',
    8,
    (reader, scope) =>
      url.read(reader, scope, { path: '/3', now: NOW, connection: null, crawl: null, analytics: null }),
  ],
  [
    'urls/search',
    // The API answers one from rows in memory.
    9,
    (reader, { websiteId }) =>
      urlSearch.read(reader, { websiteId, now: NOW }, { fragment: '/3', limit: 15, crawlId: null }),
  ],
  [
    'page-importance',
    3,
    (reader, { websiteId }) => pageImportance.read(reader, { websiteId, now: NOW }, { limit: 200 }),
  ],
];

describe.each([24, 168])('of the last %s hours', (hours) => {
  test.each(reads)(
    '%s takes at most %s statements, over requests of the cut hours only',
    async (_, statements, read) => {
      const counted = countReads(engine.clickhouse);
      const scans: string[] = [];
      const reader: ClickHouseReader = {
        read: (query) => {
          const cut = query.sql.match(
            /FROM requests AS r\nWHERE r.website_id = {\w+: String} AND \(*r.timestamp >= fromUnixTimestamp64Milli\({\w*raw_start_0/g,
          );
          const all = query.sql.match(/FROM requests\b/g);
          const outside = rangesOutside(query.params, cutHours(hours));
          if (!byInstant.has(query.name) && (all?.length !== cut?.length || outside.length > 0))
            scans.push(query.name);
          return counted.reader.read(query);
        },
      };
      await read(reader, scopeOf(hours));
      expect(scans).toEqual([]);
      const kept = counted.byName().get(KEPT)?.statements ?? 0;
      expect(counted.total().statements - kept).toBeLessThanOrEqual(statements);
      for (const [name, { statements: made, rowsRead }] of counted.byName())
        expect([name, rowsRead / made < MOST_ROWS_A_STATEMENT]).toEqual([name, true]);
    },
  );
});

import { statusClasses } from '../answer/figures.js';
import { dateWindow } from '../answer/windows.js';
import { readCountedCrawlers } from '../bots/counted-crawlers.js';
import { crawlers, daysOf } from '../bots/crawler-scope.js';
import { readCrawlBasis } from '../bots/read-crawl-basis.js';
import { firstFetchDay } from '../bots/search-crawler-fetches.js';
import { listedSince } from '../sitemaps/listed-paths.js';
import { sitemapCoverageRows } from '../sitemaps/sitemap-coverage-rows.js';
import { type CoverageStatus, coverageStatuses } from '../sitemaps/sitemap-coverage-sql.js';
import { readListingState } from '../sitemaps/sitemaps-sql.js';
import { beginningWith } from '../sql/filters.js';
import { clientIps, countryEstimates, crawlerPaths, estimates } from '../sql/read-tables.js';
import { selectTotal } from '../sql/select.js';
import { ipMetrics } from '../traffic/ips.js';
import { patternPaths } from '../url-patterns/pattern-paths.js';
import { stageRows } from './computed-exports.js';
import { type ExportType, instant, text, UnknownPatternError, value, windowFilters } from './export-type.js';
import { countryNameOf, countryParams, percentOf, prefixParameters, twoDigits } from './figures-sql.js';
import { listRows } from './list-rows.js';
import { namedBot } from './named-bot.js';

/** Exports of addresses and of crawlers' fetches. */

const TOTAL = '{export_total: UInt64}';

export const ipsExport: ExportType = {
  name: 'ips',
  title: 'Client addresses',
  read: '/ips',
  knows: windowFilters,
  columns: [
    text('client_ip'),
    text('country', 't.latest_country'),
    text('country_name', countryNameOf('t.latest_country')),
    value('asn', 'nullIf(t.asn, 0)'),
    text('as_name'),
    value('requests'),
    value('share_pct', percentOf('t.requests', TOTAL)),
    value('bot_requests'),
    value('undeclared_agent_requests'),
    text('claims'),
    value('status_4xx'),
    value('status_5xx'),
    value('error_rate_pct', percentOf('(t.status_4xx + t.status_5xx)', 't.requests')),
    value('bytes_sent'),
    instant('first_seen'),
    instant('last_seen'),
  ],
  async compose(deps, scopeOfExport, question) {
    const scope = namedBot(scopeOfExport, question);
    const list = listRows(scope, {
      name: 'exports.ips',
      from: [clientIps],
      by: ['client_ip'],
      metrics: ipMetrics,
      latest: ['country'],
    });
    const claims = prefixParameters(
      listRows(scope, {
        name: 'exports.claims',
        from: [clientIps],
        by: ['client_ip', 'bot_name', 'verification'],
        metrics: ['requests'],
      }),
      'claims',
    );
    const total = await selectTotal(deps.clickhouse, scope, {
      name: 'exports.ips_total',
      from: [estimates, countryEstimates],
      metrics: ['requests'],
    });
    return {
      from: `(SELECT l.*, c.claims AS claims FROM (${list.sql}) AS l LEFT JOIN (
SELECT client_ip, arrayStringConcat(arrayMap(x -> concat(x.3, ' (', x.4, '): ', toString(x.2)), arraySlice(arraySort(x -> (-toInt64(x.2), x.3, x.4), groupArray((0, requests, toString(bot_name), verification))), 1, 10)), ' | ') AS claims
FROM (${claims.sql}) WHERE verification NOT IN ('', 'undeclared') GROUP BY client_ip) AS c ON l.client_ip = c.client_ip) AS t`,
      order: 't.requests DESC, toIPv6(t.client_ip)',
      params: { ...list.params, ...claims.params, export_total: total.requests, ...countryParams() },
    };
  },
};

export const budgetUrlsExport: ExportType = {
  name: 'crawl-budget-urls',
  title: 'URLs that search crawlers fetched',
  read: '/seo/budget-urls',
  knows: [...windowFilters, 'directory'],
  columns: [
    text('path'),
    value('requests'),
    value('verified_requests'),
    value('unproved_requests', 't.requests - t.verified_requests'),
    value('percentage', percentOf('t.requests', TOTAL)),
    value('daily_avg', twoDigits('t.requests / {export_days: Float64}')),
  ],
  async compose({ clickhouse }, scope, { bot, directory = '/' }) {
    const narrowed = crawlers(scope, { bot, params_filter: 'all' });
    const where = [beginningWith('path', directory)];
    const [{ since }, total] = await Promise.all([
      dateWindow(clickhouse, scope),
      selectTotal(clickhouse, narrowed, {
        name: 'exports.budget_total',
        from: [crawlerPaths],
        metrics: ['requests'],
        where,
      }),
    ]);
    const { sql, params } = listRows(narrowed, {
      name: 'exports.budget_urls',
      from: [crawlerPaths],
      by: ['path'],
      metrics: ['requests', 'verified_requests'],
      where,
    });
    return {
      from: `(${sql}) AS t`,
      order: 't.requests DESC, t.path',
      params: { ...params, export_total: total.requests, export_days: daysOf(scope.window, since) },
    };
  },
};

/** The paths of the pattern are learned from all paths, as in the read, with at most 50,000. */
export const patternUrlsExport: ExportType = {
  name: 'url-pattern-urls',
  title: 'URLs of a pattern',
  read: '/seo/url-patterns',
  knows: [...windowFilters, 'pattern'],
  columns: [
    text('path', "JSONExtractString(t.row, 'path')"),
    ...['requests', ...statusClasses, 'status_other'].map((name) =>
      value(name, `JSONExtractInt(t.row, '${name}')`),
    ),
  ],
  async compose(deps, scope, { bot, pattern = '' }) {
    const counted = await readCountedCrawlers(deps.clickhouse, scope, { bot, params_filter: 'all' });
    const rows = await patternPaths(deps.clickhouse, counted.scope, pattern);
    if (rows.length === 0)
      throw new UnknownPatternError(
        'No URL of the window has the pattern. /seo/url-patterns lists the patterns of a window: choose one from the same window.',
      );
    return stageRows(deps, scope.websiteId, rows);
  },
};

export const sitemapCoverageExport: ExportType = {
  name: 'sitemap-coverage',
  title: 'Sitemap coverage',
  read: '/seo/sitemap',
  knows: ['filter'],
  filterValues: coverageStatuses,
  since: firstFetchDay,
  columns: [
    text(
      'url',
      "if(t.url = '', concat('https://', {export_domain: String}, t.path, if(t.query = '', '', concat('?', t.query))), t.url)",
    ),
    text('path'),
    text('query'),
    text('status', "if(t.crawls > 0, 'crawled', 'not_crawled')"),
    value('in_sitemap', 't.is_listed'),
    value('last_crawl_date', 'if(t.crawls > 0, t.last_crawl, NULL)'),
    value('last_crawled_by', 'if(t.crawls > 0, toString(t.bot_name), NULL)'),
    value('crawl_count', 't.crawls'),
    value('content_type', 'if(t.crawls > 0, toString(t.file_type), NULL)'),
    value('response_code', 'if(t.crawls > 0, t.response_code, NULL)'),
    value('first_seen', 'if(t.is_listed, t.url_first_seen, NULL)'),
    value('lastmod', 'if(t.is_listed AND toUnixTimestamp64Milli(t.lastmod) != 0, t.lastmod, NULL)'),
    text('sitemap', 't.sitemap'),
  ],
  async compose({ clickhouse, domain }, { websiteId, window }, { filter }) {
    const state = await readListingState(clickhouse, websiteId);
    const since = listedSince(state);
    const isKnown = (coverageStatuses as readonly string[]).includes(filter ?? '');
    const status = isKnown ? (filter as CoverageStatus) : 'all';
    const isAnswered = since !== null && (status !== 'not_in_sitemap' || state?.lastComplete != null);
    // The window ends now, and the days of the read end with it.
    const basis = await readCrawlBasis(clickhouse, websiteId, window.end);
    const question = {
      ...{ websiteId, now: window.end, listedSince: since ?? 0, basis },
      listsQueries: state?.listsQueries ?? false,
    };
    const { sql, params } = sitemapCoverageRows(question, status);
    return {
      from: `(${sql}${isAnswered ? '' : ' LIMIT 0'}) AS t`,
      order: 't.path, t.query',
      params: { ...params, export_domain: domain },
    };
  },
};

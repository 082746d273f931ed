import type { StoredRequest } from '../harness/stored-requests.js';
import {
  average,
  buckets,
  DAY,
  datedWindow,
  group,
  HOUR,
  inClass,
  isHuman,
  iso,
  isPartial,
  lastSeen,
  latest,
  nameOf,
  onPaths,
  pct,
  quantile,
  type Rows,
  ranked,
  statusClasses,
  type Truth,
  verificationOf,
} from './counting.js';
import type { Verdict } from './random-requests.js';

/** Reports on one URL, page importance and URL search, counted one by one. */

const PAGES = ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp'];
const TOP = 10;

const startOfDay = (now: number) => now - (now % DAY);

const isSearch = (row: StoredRequest) => row.bot_category === 'search';
const isProved = (verdicts: readonly Verdict[]) => (row: StoredRequest) =>
  verificationOf(row, verdicts) === 'verified';

/**
 * The requests on which figures of search crawlers are based: verified ones, or unverified claims if there
 * are none.
 */
export function basisOf({ rows, verdicts, now }: AllRows): 'verified' | 'unproved' {
  const search = ofLastDays(rows, now).filter(isSearch);
  return search.some(isProved(verdicts)) ? 'verified' : 'unproved';
}

/** Fetches on which figures of search crawlers are based, in the last days. */
export function countedFetches(all: AllRows, basis: 'verified' | 'unproved'): Rows {
  const proved = isProved(all.verdicts);
  return searchFetches(ofLastDays(all.rows, all.now), all.verdicts).filter(
    (row) => proved(row) === (basis === 'verified'),
  );
}

/** Fetches of search crawlers, without impostors. */
function searchFetches(rows: Rows, verdicts: readonly Verdict[]): Rows {
  return onPaths(rows).filter(
    (row) => row.bot_category === 'search' && verificationOf(row, verdicts) !== 'spoofed',
  );
}

function ofLastDays(rows: Rows, now: number): Rows {
  return rows.filter(({ timestamp }) => timestamp >= startOfDay(now) - 89 * DAY);
}

/** Among several at the last instant, the one with the last name. */
function lastBotOf(rows: Rows): string {
  const { timestamp } = latest(rows);
  return rows
    .filter((row) => row.timestamp === timestamp)
    .map(({ bot_name }) => bot_name)
    .sort()
    .at(-1)!;
}

export interface AllRows {
  readonly rows: Rows;
  readonly verdicts: readonly Verdict[];
  readonly now: number;
}

const scoreOf = (crawls: number, most: number) =>
  Math.round((100 * Math.log(1 + crawls)) / Math.log(1 + most)) / 10;

const isServedPage = (row: StoredRequest) =>
  PAGES.includes(row.file_type) && (inClass(2)(row) || row.status === 304);

/** Families with their pages, most fetches first. */
function importantPages(all: AllRows) {
  const families = new Map(
    [...group(ofLastDays(all.rows, all.now).filter(isSearch), (row) => row.bot_family)].map(
      ([family, rows]) => [family, basisOf({ ...all, rows })],
    ),
  );
  const fetches = [...countedFetches(all, 'verified'), ...countedFetches(all, 'unproved')].filter(
    (row) =>
      isServedPage(row) && isProved(all.verdicts)(row) === (families.get(row.bot_family) === 'verified'),
  );
  return ranked(group(fetches, (row) => row.bot_family)).map(([family, own]) => {
    const pages = ranked(group(own, (row) => row.path));
    const most = pages[0]![1].length;
    return {
      family,
      basis: families.get(family)!,
      crawls: own.length,
      pages: pages.map(([path, some]) => ({
        path,
        rows: some,
        crawls: some.length,
        score: scoreOf(some.length, most),
      })),
    };
  });
}

export function pageImportance(all: AllRows, { bot, limit }: { bot?: string; limit: number }) {
  const families = importantPages(all);
  const [first] = families;
  const chosen =
    bot === undefined
      ? (families.find(({ basis }) => basis === 'verified') ?? first!)
      : families.find(({ family }) => family === bot)!;
  return {
    available: true,
    reason: null,
    bot: chosen.family,
    crawl_basis: chosen.basis,
    bots: families.map(({ family }) => family),
    generated_at: iso(all.now),
    stale: false,
    window_days: 90,
    page_count: chosen.pages.length,
    total_crawls: chosen.crawls,
    distribution: Array.from({ length: 10 }, (_, index) => ({
      min_score: index,
      max_score: index + 1,
      pages: chosen.pages.filter(({ score }) => Math.min(Math.floor(score), 9) === index).length,
    })),
    pages: chosen.pages.slice(0, limit).map(({ path, crawls, score }) => ({ path, crawls, score })),
  };
}

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export function urlSearch(all: AllRows, fragment: string, limit: number) {
  const basis = basisOf(all);
  const prefix = fragment.startsWith('/') ? fragment : `/${fragment}`;
  const begins = (path: string) => lower(path).startsWith(lower(prefix));
  const found = ranked(group(countedFetches(all, basis), (row) => row.path)).filter(([path]) =>
    lower(path).includes(lower(fragment)),
  );
  const inOrder = [...found.filter(([path]) => begins(path)), ...found.filter(([path]) => !begins(path))];
  return {
    query: fragment,
    results: inOrder.slice(0, limit).map(([path, some]) => ({
      path,
      source: 'crawl_discovered',
      ...unknownMembership,
      crawls: some.length,
      last_crawled: lastSeen(some),
      last_bot: lastBotOf(some),
      crawl_status_code: null,
      indexable: null,
    })),
    total_matches: found.length,
    crawl_basis: basis,
    sources: { sitemap_urls: null, crawl: null },
    sitemap_snapshot: noSnapshot,
  };
}

const unknownMembership = {
  membership_status: 'unknown',
  membership_confirmed: false,
  in_sitemap: null,
  removed: null,
  removed_at: null,
};
const noSnapshot = { fetch_complete: null, last_successful_fetch_at: null, last_checked_at: null };

/** @param narrowed the window's rows under the filters */
export function urlLogs({ now: narrowed, window, verdicts }: Truth, path: string) {
  const rows = narrowed.filter((row) => row.path === path);
  const volume = (some: Rows) => ({
    requests: some.length,
    humans: some.filter(isHuman).length,
    bots: some.filter((row) => !isHuman(row)).length,
    verified_search: some.filter(
      (row) => row.traffic_class === 'search_bot' && verificationOf(row, verdicts) === 'verified',
    ).length,
  });
  const share = (some: Rows) => ({ requests: some.length, share_pct: pct(some.length, rows.length) });
  const genuine = rows.filter((row) => row.is_bot && verificationOf(row, verdicts) !== 'spoofed');
  const hourly = window.end - window.start <= 8 * DAY;
  const step = hourly ? HOUR : DAY;
  const twin = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  const { bots: _, ...variant } = volume(narrowed.filter((row) => row.path === twin));
  return {
    ...volume(rows),
    status_mix: statusClasses(rows),
    status_codes: [...group(rows, (row) => String(row.status))]
      .sort(([a, some], [b, others]) => others.length - some.length || Number(a) - Number(b))
      .map(([status, some]) => ({ status: Number(status), ...share(some) })),
    avg_time_ms: average(rows),
    p95_time_ms: quantile(rows, 0.95),
    granularity: hourly ? 'hour' : 'day',
    series: buckets(rows, window, step).map(([time, some]) => ({
      time: iso(time),
      partial: isPartial(window, time, step),
      ...volume(some),
      status_2xx: some.filter(inClass(2)).length,
      status_3xx: some.filter(inClass(3)).length,
      status_4xx: some.filter(inClass(4)).length,
      status_5xx: some.filter(inClass(5)).length,
    })),
    top_bots: ranked(group(genuine, (row) => row.bot_name))
      .slice(0, TOP)
      .map(([bot_name, some]) => ({ bot_name, ...share(some) })),
    top_referrers: ranked(
      group(
        rows.filter((row) => row.referrer_class !== 'direct'),
        (row) => `${row.referrer_domain}\0${row.referrer_class}\0${row.ai_operator}`,
      ),
    )
      .slice(0, TOP)
      .map(([name, some]) => {
        const [referrer_domain, referrer_class, ai_operator] = name.split('\0');
        return { referrer_domain, referrer_class, ai_operator, ...share(some) };
      }),
    top_countries: ranked(group(rows, (row) => row.country))
      .slice(0, TOP)
      .map(([country, some]) => ({ country, country_name: nameOf(country), ...share(some) })),
    variant: path === '/' ? null : { path: twin, ...variant },
  };
}

/**
 * The sections that ignore filters.
 * @param inWindow all of the window's rows
 */
export function urlSections(inWindow: Truth, all: AllRows, path: string) {
  const own = (rows: Rows) => rows.filter((row) => row.path === path);
  const basis = basisOf(all);
  const crawls = own(countedFetches(all, basis));
  const standings = importantPages(all).flatMap(({ family, basis: ofFamily, pages }) =>
    pages.filter((page) => page.path === path).map((page) => ({ family, crawl_basis: ofFamily, ...page })),
  );
  return {
    ...datedWindow(inWindow),
    search_bots: ranked(
      group(searchFetches(own(inWindow.now), inWindow.verdicts), (row) => row.bot_family),
    ).map(([family, some]) => {
      const verified = some.filter(isProved(inWindow.verdicts)).length;
      return {
        ...{ family, fetches: some.length, last_fetch: lastSeen(some) },
        ...{ verified_requests: verified, unproved_requests: some.length - verified },
      };
    }),
    sitemap: {
      ...unknownMembership,
      last_seen: null,
      ...noSnapshot,
      crawl_basis: basis,
      times_crawled: crawls.length,
      last_crawled_by: crawls.length === 0 ? null : lastBotOf(crawls),
    },
    importance: {
      available: true,
      reason: null,
      generated_at: iso(all.now),
      stale: false,
      families: standings
        .sort((a, b) => b.crawls - a.crawls || (a.family < b.family ? -1 : 1))
        .map(({ family, crawl_basis, crawls: times, score, rows }) => ({
          ...{ family, crawl_basis },
          crawls: times,
          score,
          interval_days: intervalDays(rows),
          last_crawl: lastSeen(rows),
        })),
    },
  };
}

function intervalDays(rows: Rows): number | null {
  if (rows.length < 2) return null;
  const times = rows.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
  return Math.round((100 * (times.at(-1)! - times[0]!)) / (rows.length - 1) / DAY) / 100;
}

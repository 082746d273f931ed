import { compareBytes } from '../../shared/reads/sql/text-order.js';
import type { StoredRequest } from '../harness/stored-requests.js';
import {
  average,
  byPath,
  byText,
  DAY,
  datedWindow,
  distinct,
  group,
  inClass,
  lastSeen,
  latest,
  onPaths,
  pct,
  type Rows,
  ranked,
  statusClasses,
  type Truth,
  verificationCounts,
  verificationOf,
} from './counting.js';
import { summarised } from './expected-bots.js';

/** Answers of the seo family, counted over the rows. */

export interface Crawlers {
  readonly bot?: string;
  readonly withParams?: boolean;
}

export function claims({ now, namesBot }: Truth, { bot, withParams }: Crawlers): Rows {
  const named = bot?.toLowerCase();
  return now.filter(
    (row) =>
      (named === undefined
        ? row.is_bot && (namesBot || row.bot_category === 'search')
        : row.is_bot && (row.bot_name.toLowerCase() === named || row.bot_family.toLowerCase() === named)) &&
      (withParams === undefined || (row.query !== '') === withParams),
  );
}

const genuine = (rows: Rows, { verdicts }: Truth) =>
  rows.filter((row) => verificationOf(row, verdicts) !== 'spoofed');

export const fetches = (truth: Truth, crawlers: Crawlers) => genuine(claims(truth, crawlers), truth);

export const proofs = (rows: Rows, { verdicts }: Truth) => {
  const verified = rows.filter((row) => verificationOf(row, verdicts) === 'verified').length;
  return { verified_requests: verified, unproved_requests: rows.length - verified };
};

/**
 * The fetches that count: verified ones, or claims if the crawlers have no verified request in the window.
 */
function counted(truth: Truth, crawlers: Crawlers) {
  const { website, window, verdicts, verifiedOnly, isOfNamedBot } = truth;
  const isProved = (row: StoredRequest) => verificationOf(row, verdicts) === 'verified';
  const inWindow = website.filter(
    (row) => row.timestamp >= window.start && row.timestamp < window.end && isOfNamedBot(row),
  );
  const bot = crawlers.bot === undefined ? {} : { bot: crawlers.bot };
  const basis =
    verifiedOnly || fetches({ ...truth, now: inWindow }, bot).some(isProved) ? 'verified' : 'unproved';
  const all = fetches(truth, crawlers);
  return {
    rows: all.filter((row) => isProved(row) === (basis === 'verified')),
    said: { crawl_basis: basis, ...proofs(all, truth) },
  };
}

const round = (value: number) => Math.round(value * 100) / 100;
const daysIn = ({ window: { start, end }, since }: Truth) =>
  Math.max((end - Math.max(start, since ?? start)) / DAY, 1);

export function seo(truth: Truth, crawlers: Crawlers) {
  const all = claims(truth, crawlers);
  const own = genuine(all, truth);
  const figures = (rows: Rows) => {
    const counts = verificationCounts(rows, truth);
    const { spoofed_requests, ...others } = counts;
    const of = genuine(rows, truth);
    return {
      ...others,
      verification_status: summarised(counts),
      unproved_requests: counts.pending_requests! + counts.unverifiable_requests!,
      unverified_suspicious: spoofed_requests,
      ...statusClasses(of),
      avg_response_time_ms: average(of),
    };
  };
  return {
    ...datedWindow(truth),
    crawler_requests: own.length,
    ...figures(all),
    total_crawlers: distinct(all, (row) => row.bot_name),
    top_crawlers: [...group(all, (row) => row.bot_name)]
      .sort(
        ([a, rowsOfA], [b, rowsOfB]) =>
          genuine(rowsOfB, truth).length - genuine(rowsOfA, truth).length || byText(a, b),
      )
      .map(([bot_name, rows]) => {
        const of = genuine(rows, truth);
        return {
          bot_name,
          bot_family: latest(rows).bot_family,
          bot_category: latest(rows).bot_category,
          requests: of.length,
          share_pct: pct(of.length, own.length),
          ...figures(rows),
          last_seen: of.length === 0 ? null : lastSeen(of),
        };
      }),
  };
}

export interface Page {
  readonly page: number;
  readonly size: number;
}

export const pageOf = <Item>(items: readonly Item[], { page, size }: Page) =>
  items.slice((page - 1) * size, page * size);

export function budgetUrls(truth: Truth, crawlers: Crawlers, directory: string, page: Page) {
  const rows = fetches(truth, crawlers).filter((row) => row.path.startsWith(directory));
  const paths = byPath(rows);
  return {
    ...datedWindow(truth),
    directory,
    total_requests: rows.length,
    ...proofs(rows, truth),
    urls: pageOf(paths, page).map(([path, own]) => ({
      path,
      requests: own.length,
      ...proofs(own, truth),
      percentage: pct(own.length, rows.length),
      daily_avg: round(own.length / daysIn(truth)),
    })),
    total: paths.length,
    page: page.page,
    page_size: page.size,
    total_pages: Math.ceil(paths.length / page.size),
  };
}

/** The pattern and type of a fetched URL. */
export type PatternOf = (row: StoredRequest) => readonly [pattern: string, type: string];

/** The patterns of the random paths (random-requests.ts), defined again without rules. */
function randomPattern({ path, query }: StoredRequest): [pattern: string, type: string] {
  const [pattern, type] = /^\/archive\/[0-9]+$/.test(path)
    ? ['/archive/{number}', 'id']
    : /^\/shop\/product-[0-9]+$/.test(path)
      ? ['/shop/{slug}', 'slug']
      : [path, 'static'];
  return query === '' ? [pattern, type] : [`${pattern}?{params}`, 'parameters'];
}

/** The path with most requests, with the query of its latest one. */
function exampleOf(rows: Rows): string {
  const [path, own] = byPath(rows)[0]!;
  // A rollup does not have the order of requests at the same time.
  const newest = Math.max(...own.map(({ timestamp }) => timestamp));
  const latest = own.filter(({ timestamp }) => timestamp === newest).map(({ query }) => query);
  const query = latest.sort(compareBytes).at(-1)!;
  return query === '' ? path : `${path}?${query}`;
}

export function urlPatterns(
  truth: Truth,
  crawlers: Crawlers,
  minUrls: number,
  patternOf: PatternOf = randomPattern,
) {
  const { rows, said } = counted(truth, crawlers);
  const redirects = [301, 302, 303, 307, 308];
  const patterns = ranked(group(onPaths(rows), (row) => patternOf(row)[0])).filter(
    ([name, own]) => name.endsWith('?{params}') || distinct(own, (row) => row.path) >= minUrls,
  );
  return {
    ...datedWindow(truth),
    ...said,
    total_crawl_requests: rows.length,
    days_in_period: round(daysIn(truth)),
    min_urls: minUrls,
    paths_examined: distinct(onPaths(rows), (row) => `${row.path}?${row.query !== ''}`),
    complete: true,
    total_patterns: patterns.length,
    patterns: patterns.map(([pattern, own]) => {
      const [, type] = patternOf(own[0]!);
      const share = (test: (row: StoredRequest) => boolean) => own.filter(test).length / own.length;
      const isError = (row: StoredRequest) => inClass(4)(row) || inClass(5)(row);
      const isRedirect = (row: StoredRequest) => redirects.includes(row.status);
      const raised: [string, boolean][] = [
        ['server_errors', share(inClass(5)) >= 0.02],
        ['high_error_rate', share(isError) >= 0.2],
        ['redirect_heavy', share(isRedirect) >= 0.3],
        ['low_value', share((row) => isError(row) || isRedirect(row)) >= 0.5],
        ['parameter_waste', type === 'parameters' && own.length / rows.length >= 0.01],
        ['endless_space', ['pagination', 'date'].includes(type) && own.length / rows.length >= 0.01],
      ];
      return {
        pattern,
        total_requests: own.length,
        unique_urls: distinct(own, (row) => `${row.path}?${row.query}`),
        daily_avg: round(own.length / daysIn(truth)),
        pct_of_crawl: pct(own.length, rows.length),
        ...statusClasses(own),
        pattern_type: type,
        flags: own.length < 10 ? [] : raised.filter(([, is]) => is).map(([flag]) => flag),
        example_url: exampleOf(own),
      };
    }),
  };
}

export function pathExplorer(truth: Truth, crawlers: Crawlers, limit: number) {
  const rows = fetches(truth, crawlers);
  const paths = byPath(rows);
  const byBot = (own: Rows) => ranked(group(own, (row) => row.bot_name));
  return {
    ...datedWindow(truth),
    total_requests: rows.length,
    ...proofs(rows, truth),
    total_paths: paths.length,
    paths: paths.slice(0, limit).map(([path, own]) => ({
      path,
      requests: own.length,
      ...proofs(own, truth),
      bots: Object.fromEntries(byBot(own).map(([bot, some]) => [bot, some.length])),
      ...statusClasses(own),
      avg_response_time_ms: average(own),
      last_seen: lastSeen(own),
    })),
    directories: directories(rows)
      .slice(0, 500)
      .map(([directory, own]) => {
        const classes = statusClasses(own);
        return {
          directory,
          requests: own.length,
          ...proofs(own, truth),
          paths: distinct(own, (row) => row.path),
          ...classes,
          failed_pct: pct(classes.status_4xx + classes.status_5xx, own.length),
        };
      }),
    top_bots: byBot(rows)
      .slice(0, 10)
      .map(([bot_name, own]) => ({
        bot_name,
        requests: own.length,
        ...proofs(own, truth),
        share_pct: pct(own.length, rows.length),
      })),
  };
}

/** Each directory down to the fourth below `/`, with its requests. */
function directories(rows: Rows): [string, Rows][] {
  const found = new Map<string, StoredRequest[]>();
  for (const row of rows) {
    if (!row.path.startsWith('/')) continue;
    const names = row.path.split('/');
    for (let level = 1; level < Math.min(names.length, 6); level += 1) {
      const directory = `${names.slice(0, level).join('/')}/`;
      found.set(directory, [...(found.get(directory) ?? []), row]);
    }
  }
  return ranked(found);
}

const classNames = ['2xx', '3xx', '4xx', '5xx', 'other'];

function judgedClass({ status }: StoredRequest): string {
  if (status === 304) return '2xx';
  return status >= 200 && status < 600 ? `${Math.trunc(status / 100)}xx` : 'other';
}

export function statusConsistency(truth: Truth, crawlers: Crawlers, minRequests: number, limit: number) {
  const { rows: all, said } = counted(truth, crawlers);
  const checked = byPath(all)
    .filter(([, rows]) => rows.length >= minRequests)
    .map(([path, rows]) => ({ path, rows, figures: judge(rows, truth) }));
  const errors = ({ counts }: (typeof checked)[number]['figures']) =>
    counts['4xx']! + counts['5xx']! + counts.other!;
  const critical = checked.filter(
    ({ rows, figures }) =>
      figures.counts['5xx']! >= 0.05 * rows.length || errors(figures) >= 0.5 * rows.length,
  );
  const faulty = checked.filter(({ rows, figures }) => figures.failed.length >= 0.05 * rows.length);
  const warning = faulty.filter((page) => !critical.includes(page));
  return {
    ...datedWindow(truth),
    ...said,
    min_requests: minRequests,
    summary: {
      total_pages_checked: checked.length,
      total_inconsistent: checked.filter(({ figures }) => figures.classes.length > 1).length,
      critical: critical.length,
      unsteady: critical.filter(
        ({ rows, figures }) =>
          figures.counts['5xx']! >= 0.05 * rows.length ||
          !rows.every(({ status }) => status === 404 || status === 410),
      ).length,
      warning: warning.length,
      healthy: checked.length - critical.length - warning.length,
      total_not_always_2xx: checked.filter(({ figures }) => figures.failed.length > 0).length,
    },
    pages: checked
      .filter(({ figures }) => figures.failed.length > 0)
      .sort((a, b) => b.figures.impact - a.figures.impact || byText(a.path, b.path))
      .slice(0, limit)
      .map(({ path, rows, figures: { counts, failed, impact } }) => {
        const dominant = classNames.toSorted((a, b) => counts[b]! - counts[a]!)[0]!;
        return {
          path,
          total_requests: rows.length,
          ...Object.fromEntries(classNames.map((name) => [`status_${name}`, counts[name]!])),
          status_2xx: rows.filter(inClass(2)).length,
          status_3xx: rows.filter(inClass(3)).length,
          not_modified: rows.filter(({ status }) => status === 304).length,
          statuses: Object.fromEntries(
            [...group(rows, (row) => String(row.status))].map(([status, some]) => [status, some.length]),
          ),
          status_classes: namesOf(rows),
          dominant_class: dominant === '2xx' ? nameOfGood(rows) : dominant,
          consistency_pct: pct(counts[dominant]!, rows.length),
          non_2xx_pct: pct(failed.length, rows.length),
          impact_score: round(impact),
          last_non_2xx: lastSeen(failed),
        };
      }),
  };
}

/** In answers 304 is apart from 2xx, with which it agrees. */
function namesOf(rows: Rows): string[] {
  const names = new Set(rows.map((row) => (row.status === 304 ? '304' : judgedClass(row))));
  return ['2xx', '304', ...classNames.slice(1)].filter((name) => names.has(name));
}

function nameOfGood(rows: Rows): string {
  const unchanged = rows.filter(({ status }) => status === 304).length;
  return unchanged > rows.filter(inClass(2)).length ? '304' : '2xx';
}

function judge(rows: Rows, { window }: Truth) {
  const counts = Object.fromEntries(
    classNames.map((name) => [name, rows.filter((row) => judgedClass(row) === name).length]),
  );
  const classes = classNames.filter((name) => counts[name]! > 0);
  const failed = rows.filter((row) => judgedClass(row) !== '2xx');
  const weight = counts['3xx']! + 4 * counts['4xx']! + 10 * counts['5xx']! + 4 * counts.other!;
  const days = (window.end - Math.max(...failed.map((row) => row.timestamp))) / DAY;
  const steady = Math.max(...classNames.slice(1).map((name) => counts[name]!)) / rows.length;
  const impact =
    ((Math.log2(1 + rows.length) * weight) / rows.length) * 2 ** (-days / 7) * (1 - 0.5 * steady);
  return { counts, classes, failed, impact: failed.length === 0 ? 0 : impact };
}

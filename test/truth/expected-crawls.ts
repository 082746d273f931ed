import type { StoredRequest } from '../harness/stored-requests.js';
import {
  datedWindow,
  group,
  iso,
  lastSeen,
  newestFirst,
  ranked,
  type Truth,
  verificationOf,
} from './counting.js';
import { type Crawlers, claims, fetches, type Page, pageOf, proofs } from './expected-crawlers.js';

/** Single requests of crawlers, counted and listed over the rows. */

/** seo/sitemap/url-history. */
export function urlHistory(
  truth: Truth,
  {
    path,
    query = '',
    bot,
    page,
    pageSize,
  }: { path: string; query?: string; bot: string | null; page: number; pageSize: number },
) {
  const rows = fetches(truth, bot === null ? {} : { bot })
    .filter((row) => row.path === path && (query === '' || row.query === query))
    .sort(newestFirst);
  const dated = datedWindow(truth);
  return {
    ...dated,
    hours: dated.window.hours,
    url_path: query === '' ? path : `${path}?${query}`,
    matches: query === '' ? 'path' : 'path_and_query',
    total_crawls: rows.length,
    ...proofs(rows, truth),
    bot_summary: Object.fromEntries(
      ranked(group(rows, (row) => row.bot_name)).map(([name, own]) => [
        name,
        { count: own.length, ...proofs(own, truth), last_crawled: lastSeen(own) },
      ]),
    ),
    events: rows.slice((page - 1) * pageSize, page * pageSize).map((row) => ({
      timestamp: iso(row.timestamp),
      query: row.query,
      bot_name: row.bot_name,
      bot_verified: verified[verificationOf(row, truth.verdicts)] ?? null,
      bot_verification_status: verificationOf(row, truth.verdicts),
      status: row.status,
      method: row.method,
      user_agent: row.user_agent,
      response_time_ms: row.time_taken_ms,
      country: row.country,
    })),
    page,
    page_size: pageSize,
    total_pages: Math.ceil(rows.length / pageSize),
  };
}

const verified: Readonly<Record<string, boolean | null>> = { verified: true, spoofed: false };

/** seo/requests. */
export function crawlerRequests(truth: Truth, crawlers: Crawlers, filter: string, page: Page) {
  const { verdicts } = truth;
  const verification = (row: StoredRequest) => verificationOf(row, verdicts);
  const all = filter === 'unverified' ? claims(truth, crawlers) : fetches(truth, crawlers);
  const kept = all.filter((row) => {
    if (filter === 'verified') return verification(row) === 'verified';
    if (filter === 'unverified') return verification(row) !== 'verified';
    if (filter === 'slowest') return row.time_taken_ms !== null;
    return filter === 'all' || `${Math.trunc(row.status / 100)}xx` === filter;
  });
  const slowness = (row: StoredRequest) => (filter === 'slowest' ? row.time_taken_ms! : 0);
  const sorted = kept.toSorted((a, b) => slowness(b) - slowness(a) || newestFirst(a, b));
  const pages = Math.ceil(kept.length / page.size);
  return {
    ...datedWindow(truth),
    filter,
    items: pageOf(sorted, page).map((row) => ({
      timestamp: iso(row.timestamp),
      path: row.path,
      query: row.query,
      status: row.status,
      method: row.method,
      client_ip: row.client_ip,
      user_agent: row.user_agent,
      bot_name: row.bot_name,
      bot_verified: verified[verification(row)] ?? null,
      bot_verification_status: verification(row),
      time_taken_ms: row.time_taken_ms,
    })),
    total_count: kept.length,
    page: page.page,
    page_size: page.size,
    total_pages: pages,
    has_next: page.page < pages,
    has_prev: page.page > 1,
  };
}

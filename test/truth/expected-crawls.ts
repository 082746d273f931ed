import { group, iso, lastSeen, ranked, type Truth, verificationOf, windowOf } from './counting.js';

/** seo/sitemap/url-history. */
export function urlHistory(
  truth: Truth,
  { path, bot, page, pageSize }: { path: string; bot: string | null; page: number; pageSize: number },
) {
  const rows = truth.now
    .filter((row) => row.is_bot && row.path === path && verificationOf(row, truth.verdicts) !== 'spoofed')
    .filter(({ bot_category, bot_name, bot_family }) =>
      bot === null
        ? bot_category === 'search'
        : [bot_name, bot_family].some((name) => name.toLowerCase() === bot),
    )
    .sort(
      (a, b) =>
        b.timestamp - a.timestamp ||
        b.log_partition - a.log_partition ||
        b.log_offset - a.log_offset ||
        b.log_index - a.log_index,
    );
  const window = windowOf(truth.window);
  return {
    window,
    hours: window.hours,
    url_path: path,
    total_crawls: rows.length,
    bot_summary: Object.fromEntries(
      ranked(group(rows, (row) => row.bot_name)).map(([name, own]) => [
        name,
        { count: own.length, last_crawled: lastSeen(own) },
      ]),
    ),
    events: rows.slice((page - 1) * pageSize, page * pageSize).map((row) => ({
      timestamp: iso(row.timestamp),
      bot_name: row.bot_name,
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

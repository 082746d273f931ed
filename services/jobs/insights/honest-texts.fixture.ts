import { createKnownFacts } from './known-facts.js';

/** What an honest model could be shown, and texts that it could write of it: each is to be kept. */

export const shown = createKnownFacts();
shown.add({ hours: 168, days: 7 });
shown.add({ window: { start: '2026-11-15T00:00:00Z', end: '2026-11-22T00:00:00Z' } });
shown.add({
  ...{
    total_requests: 20_498,
    ai_bot_requests: 2_567,
    search_bot_requests: 3_201,
    spoofed_bot_requests: 197,
  },
  ...{ status_4xx: 1_865, status_5xx: 14, error_rate_4xx_pct: 9.1, error_rate_5xx_pct: 0.07 },
  ...{ avg_time_ms: 77.78, p95_time_ms: 343, p99_time_ms: 838, bytes_sent: 658_047_398 },
  ...{ human_requests: 12_068, unique_human_ips: 1_706, unique_crawlers: 15 },
  previous: { total_requests: 18_899, p95_time_ms: 361, spoofed_bot_requests: 88, error_rate_4xx_pct: 9.11 },
  deltas: { total_requests_pct: 8.46, spoofed_bot_requests_pct: 123.86, ai_percentage_pp: -1.64 },
  ...{ ai_percentage: 11.98, daily_avg: 355.7, total_inconsistent: 18, min_urls: 5 },
  top_status_codes: [
    { status: 404, requests: 956, share_pct: 4.66 },
    { status: 500, requests: 12, share_pct: 0.06 },
  ],
  bots: [
    { bot_name: 'Googlebot', requests: 676, share_pct: 3.3, delta_pct: 55.73 },
    { bot_name: 'GPTBot', requests: 1_608, rejected_share_pct: 3.95, rejected_by_status: { 403: 455 } },
    { bot_name: 'bingbot', requests: 410 },
  ],
  paths: [
    { path: '/blog/2024/01/post', requests: 87, status_5xx: 0 },
    { path: `/${'very-long-name/'.repeat(7)}2024-01-31/+49-30-1234567...`, requests: 33 },
    { path: '/wp-login.php', requests: 222 },
  ],
  patterns: [{ pattern: '/shop/*?color=*', unique_urls: 46, pct_of_crawl: 11.59 }],
  countries: [{ country_name: 'United States', share_pct: 42.42 }, { country_name: 'Türkiye' }],
  cities: [{ city: 'São Paulo' }, { city: 'Los Angeles' }, { city: 'Zürich' }, { city: 'Las Vegas' }],
  referrers: [{ referrer_domain: 'google.com', requests: 1_044 }],
});

export const honestTexts: readonly string[] = [
  'Traffic rose by 8.46 % to 20,498 requests; the window before had 18,899.',
  '**Spoofed bots are the main concern.** Requests from spoofed crawlers went from 88 to 197 (+123.86 %). Consider blocking addresses that fail verification.',
  '- 404 is the most frequent error: 956 requests (4.66 %).\n- 500 was answered 12 times.\n- Fix broken links in the navigation.',
  'The p95 response time improved from 361 to 343 ms, while p99 stood at 838 ms.',
  'The p95 response time improved from 361 ms to 343 ms. Slow pages cost crawl budget.',
  'Over the last 7 days (168 hours), search crawlers made 3,201 requests and AI bots made 2,567.',
  'AI crawlers account for 11.98 % of traffic, down 1.64 percentage points.',
  '`GPTBot` made 1,608 requests. The server answered 403 to 455 of them, a share of 3.95 %. Check whether that is intended.',
  '1. `Googlebot` fetched 676 times, up 55.73 %.\n2. `bingbot` fetched 410 times.\n3. `GPTBot` leads with 1,608.',
  'Most people come from `google.com` (1,044 requests).',
  'Requests to `/wp-login.php` (222) look like attempts to log in; a DoS or brute force attack is not visible.',
  'Crawlers spend 11.59 percent of their requests on `/shop/*?color=*`, a pattern with 46 URLs. Once these are excluded in robots.txt, more important pages are crawled.',
  'Visitors from São Paulo, Zürich, Los Angeles and Las Vegas grew. United States leads with 42.42 %.',
  'Due to the errors above, search engines may crawl less. Look at `/blog/2024/01/post` first: it had 87 requests.',
  '404s are stable at 956; 5xx errors remain rare with 14 requests (0.07 %).',
  'Nothing unusual happened between 2026-11-15 and 2026-11-22.',
  'All is as usual.',
  'Check server logs for the 500 responses. Review redirects. Update the sitemap.',
  `A long address, \`/${'very-long-name/'.repeat(7)}2024-01-31/+49-30-1234567...\`, was asked for 33 times.`,
  'The 4xx error rate is 9.1 % (9.11 % before), practically unchanged.',
  'The average response time of 78 ms is fine, and 658,047,398 bytes were sent.',
  "It's worth noting that there aren't many 5xx errors; the site's health is good.",
  '**What to do next**\n\n- Verify `Googlebot` by reverse DNS\n- Keep 404 for removed pages\n- Watch `GPTBot`',
  'Some 18 pages answer crawlers with one status and then another. Such pages confuse search engines — steady answers matter.',
  'Uptime is not something that logs tell, so look at status 500 (12 requests) instead.',
  'Among AI assistants, the mix of crawlers is broad: 15 crawlers came. A robots.txt rule per crawler would help.',
  'Around 356 fetches a day hit parameters; in a 7-day window this adds up, so decide whether crawlers need them.',
  'The number of people (1,706 addresses) and of their requests (12,068) are both normal.',
  'Since 2026-11-15, server errors have been at 0.07 %, below 1xx or 3xx noise.',
  'One page matters most: `/wp-login.php`. Nobody should reach it from outside. If you do not use it, remove it; otherwise restrict it to known addresses.',
  'CDN caching works well, HTTP errors are few, and SEO or LLM crawlers are served as they should be.',
  'Per crawler: `Googlebot` 676, `bingbot` 410.',
];

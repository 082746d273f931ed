import { HOUR_MS } from '../../shared/durations.js';
import type { ApiAccess } from '../import/instance.js';
import { readUrl } from './read-back.js';
import type { Incidents, TimeSpan } from './traffic/calendar.js';

export interface SentDemo {
  readonly window: TimeSpan;
  /** Path of credentials.json. */
  readonly credentials: string;
  readonly incidents: Incidents;
}

/** Interesting reads of the demo's traffic: commands to paste, each with a description of the result. None contains the key. */
export function nextSteps(api: ApiAccess, { window, credentials, incidents }: SentDemo): string {
  const commands = steps(window, incidents).map(
    ([path, shows]) =>
      `# ${shows}\ncurl -s -H "Authorization: Bearer $LOGLANE_KEY" '${readUrl(api, path)}'\n`,
  );
  return [
    `# The API key, for the commands below:\nexport LOGLANE_KEY=$(sed -n 's/.*"api_key": *"\\([^"]*\\)".*/\\1/p' '${credentials}')\n`,
    ...commands,
    `# Every read, described: ${api.baseUrl}/public/v1/docs`,
  ].join('\n');
}

function steps(window: TimeSpan, { outage, deploy }: Incidents): [path: string, shows: string][] {
  const hours = `hours=${Math.min(8_760, Math.ceil((window.end - window.start) / HOUR_MS))}`;
  const around = ({ start, end }: TimeSpan) =>
    `start=${minute(start - HOUR_MS)}&end=${minute(end + HOUR_MS)}`;
  // biome-ignore format: a table reads best as a table
  return [
    [`/summary?${hours}`, 'The whole window in one answer: people, search engines, AI crawlers, errors.'],
    [`/traffic?${hours}`, 'Traffic by hour: daily waves of people, and steady bots.'],
    [`/bots?${hours}&split_variants=true`, 'Crawlers and impostors: verified and spoofed Googlebots, with smartphone and desktop variants.'],
    [`/bots/access?${hours}`, 'Access of crawlers: the real PerplexityBot is blocked while impostors get in (`inverted`), Amazonbot is asked to pay (402), Bytespider is blocked, some AI crawlers are rate-limited (429).'],
    [`/bots/unknown?${hours}`, 'Declared bots that are not in the crawler table. Agents with a browser user agent are `undeclared_agent_requests` of the summary.'],
    [`/paths?${hours}&limit=10`, 'The most requested paths.'],
    [`/status-codes?${around(outage)}`, `The outage of ${minute(outage.start)}: an hour of 502, 503 and 504 between two quiet ones.`],
    [`/traffic?${around(deploy)}`, `The deployment of ${minute(deploy.start)}: for an hour, pages took several times as long.`],
    [`/referrers?${hours}&limit=15`, 'Sources of visits: search, social networks, AI assistants.'],
    [`/llms?${hours}&max_rows=10`, 'AI systems that read the shop, their purposes, and the pages.'],
    [`/ai-funnel?${hours}`, 'Fetches of each AI operator, and the visits that its assistants send.'],
    [`/ai-landing?${hours}&limit=5`, 'The guide that assistants send people to, and their next pages.'],
    [`/geography?${hours}&max_rows=10`, 'Countries and cities.'],
    [`/devices?${hours}`, 'Browsers, operating systems and kinds of device.'],
    [`/ips?${hours}&max_rows=10`, 'The busiest addresses and networks; scanners are among them.'],
    [`/requests?${hours}&bot_verified=false&limit=5`, 'Single requests that falsely claim to be GPTBot, ClaudeBot or Googlebot (DNS verification takes some seconds).'],
    [`/seo/url-patterns?${hours}&max_rows=8`, 'Where search crawlers spend their requests: thousands of filter pages, and an endless calendar.'],
    [`/seo/status-consistency?${hours}&max_rows=8`, 'Pages with varying status codes: the template of /hire/ fails at every third request.'],
    [`/seo/robots?${hours}`, 'Crawlers that fetch disallowed pages: the guides, for training.'],
    ['/seo/sitemap?status=stale&page_size=10', 'Sitemap pages that search crawlers have not fetched for a month: lookbooks of past seasons. Lookbooks of the next season are `never_crawled`, the calendar of /hire/ is `not_in_sitemap`.'],
    [`/crawl-report?${hours}&limit=10`, 'A crawl of the shop compared with the logs: linked pages that search crawlers ignore, and pages without links that they fetch.'],
    [`/crawl-audit?${hours}&limit=3`, 'Problems of its pages, sorted by fetches of search crawlers.'],
    [`/crawl-links?${hours}&limit=50`, 'Its pages by internal PageRank, and the links between them.'],
    [`/search/performance?hours=672`, 'Impressions and clicks in a search engine. The data is generated, since the shop does not exist.'],
    ['/ga/overview?hours=24', 'Sessions of web analytics, also generated: their sources, and the views in the logs that the script missed.'],
    ['/ga/pages?hours=24&limit=10', 'The landing pages of these sessions.'],
    [`/alerts?view=incidents&limit=200`, `Incidents of the detector: the outage of ${minute(outage.start)}, the slow deployment, scanners, false crawlers.`],
    ['/health', 'The current state of the shop, compared with the usual values of this hour of the week.'],
    [`/recommendations?${hours}`, 'Clients to block, and pages to repair. `/recommendations/snippet` returns a configuration for them.'],
    ['/checks', 'Verdicts of the nightly checks, which were started just now. In a few minutes all verdicts are based on the logs.'],
    ['/insights', 'A text about the week, from fixed sentences. With INSIGHTS_URL, a language model writes it.'],
    ['/live?type=bots', 'The newest bot requests.'],
  ];
}

/** `2026-11-18T14:00Z` */
function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

import { HOUR_MS } from '../../shared/durations.js';
import type { ApiAccess } from '../import/instance.js';
import { readUrl } from './read-back.js';
import type { Incidents, TimeSpan } from './traffic/calendar.js';

/** The reads worth trying on the demo's traffic, as commands to paste, each with what it will show. */
export function nextSteps(api: ApiAccess, window: TimeSpan, incidents: Incidents): string {
  const commands = steps(window, incidents).map(
    ([path, shows]) =>
      `# ${shows}\ncurl -s -H 'Authorization: Bearer ${api.apiKey}' '${readUrl(api, path)}'\n`,
  );
  return [...commands, `# Every read, described: ${api.baseUrl}/public/v1/docs`].join('\n');
}

function steps(window: TimeSpan, { outage, deploy }: Incidents): [path: string, shows: string][] {
  const hours = `hours=${Math.min(8_760, Math.ceil((window.end - window.start) / HOUR_MS))}`;
  const around = ({ start, end }: TimeSpan) =>
    `start=${minute(start - HOUR_MS)}&end=${minute(end + HOUR_MS)}`;
  // biome-ignore format: a table reads best as a table
  return [
    [`/summary?${hours}`, 'The whole time in one answer: people, search engines, AI crawlers, errors.'],
    [`/traffic?${hours}`, 'Hour by hour: the daily waves of people over the steady hum of bots.'],
    [`/bots?${hours}&split_variants=true`, 'Who crawls, and who only says so: verified and spoofed Googlebots apart, smartphone and desktop apart.'],
    [`/bots/access?${hours}`, 'Who is let in: the real PerplexityBot is shut out while impostors get in (`inverted`), Amazonbot is asked to pay (402), Bytespider is turned away, some AI crawlers are slowed down (429).'],
    [`/bots/unknown?${hours}`, 'Bots that say so and that no table knows. Agents that show a browser instead are `undeclared_agent_requests` of the summary.'],
    [`/paths?${hours}&limit=10`, 'The most requested paths.'],
    [`/status-codes?${around(outage)}`, `The outage of ${minute(outage.start)}: an hour of 502, 503 and 504 between two quiet ones.`],
    [`/traffic?${around(deploy)}`, `The deployment of ${minute(deploy.start)}: an hour in which pages took several times as long.`],
    [`/referrers?${hours}&limit=15`, 'Where people come from: search, social networks, AI assistants.'],
    [`/llms?${hours}&max_rows=10`, 'Which AI systems read the shop, what for, and which pages.'],
    [`/ai-funnel?${hours}`, 'What each AI operator fetches, and the visits that its assistants send back.'],
    [`/ai-landing?${hours}&limit=5`, 'The guide that assistants send people to, and where those go from there.'],
    [`/geography?${hours}&max_rows=10`, 'Countries and cities.'],
    [`/devices?${hours}`, 'Browsers, operating systems and kinds of device.'],
    [`/ips?${hours}&max_rows=10`, 'The busiest addresses and networks; scanners are among them.'],
    [`/requests?${hours}&bot_verified=false&limit=5`, 'Requests, one by one, that claim to be GPTBot, ClaudeBot or (proven by DNS, which takes some seconds) Googlebot and are not.'],
    [`/seo/url-patterns?${hours}&max_rows=8`, 'Where search crawlers spend their time: filters by the thousand, a calendar without an end.'],
    [`/seo/status-consistency?${hours}&max_rows=8`, 'Pages that answer now so, now so: the template of /hire/ breaks on every third call.'],
    [`/seo/robots?${hours}`, 'Crawlers that fetch what robots.txt keeps from them: the guides, for training.'],
    ['/seo/sitemap?status=stale&page_size=10', 'Pages of the sitemaps that search crawlers have left alone for a month: lookbooks of past seasons. Those of the coming one are `never_crawled`, the calendar of /hire/ is `not_in_sitemap`.'],
    [`/crawl-report?${hours}&limit=10`, 'A crawl of the shop beside the logs: linked pages that search crawlers ignore, and pages that they fetch though nothing links to them.'],
    [`/crawl-audit?${hours}&limit=3`, 'What is wrong with its pages, by how often search crawlers fetch them.'],
    [`/crawl-links?${hours}&limit=50`, 'Its pages by internal PageRank, and the links between them.'],
    [`/search/performance?hours=672`, 'What a search engine showed of it and what was clicked: recorded, for the shop does not exist.'],
    ['/ga/overview?hours=24', 'Sessions by web analytics, recorded as well: who sent them, and how many views the script missed that the logs have.'],
    ['/ga/pages?hours=24&limit=10', 'The pages on which they began.'],
    [`/alerts?view=incidents&limit=200`, `What the detector found, each once: the outage of ${minute(outage.start)}, the slow deployment, scanners, false crawlers.`],
    ['/health', 'How the shop is right now, beside what is usual at this hour of the week.'],
    [`/recommendations?${hours}`, 'Whom to block, which pages to repair. `/recommendations/snippet` makes configuration of it.'],
    ['/checks', 'What the nightly checks say, begun just now: some minutes later all verdicts rest on the logs.'],
    ['/insights', 'A text about the week, of fixed sentences here; with INSIGHTS_URL a language model writes it.'],
    ['/live?type=bots', 'The newest bot requests.'],
  ];
}

/** `2026-11-18T14:00Z` */
function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

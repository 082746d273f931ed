import { HOUR_MS } from '../../shared/durations.js';
import type { ApiAccess } from './instance.js';
import { readUrl } from './read-back.js';
import type { Incidents, TimeSpan } from './traffic/calendar.js';

interface Step {
  path: string;
  shows: string;
}

/** The reads worth trying on the demo's traffic, as commands to paste, each with what it will show. */
export function nextSteps(api: ApiAccess, window: TimeSpan, incidents: Incidents): string {
  const commands = steps(window, incidents).map(
    ({ path, shows }) =>
      `# ${shows}\ncurl -s -H 'Authorization: Bearer ${api.apiKey}' '${readUrl(api, path)}'\n`,
  );
  return [...commands, `# Every read, described: ${api.baseUrl}/public/v1/docs`].join('\n');
}

function steps(window: TimeSpan, { outage, deploy }: Incidents): Step[] {
  const hours = `hours=${Math.min(8_760, Math.ceil((window.end - window.start) / HOUR_MS))}`;
  const around = ({ start, end }: TimeSpan) =>
    `start=${minute(start - HOUR_MS)}&end=${minute(end + HOUR_MS)}`;
  return [
    {
      path: `/summary?${hours}`,
      shows: 'The whole time in one answer: people, search engines, AI crawlers, errors.',
    },
    {
      path: `/traffic?${hours}`,
      shows: 'Hour by hour: the daily waves of people over the steady hum of bots.',
    },
    {
      path: `/bots?${hours}&split_variants=true`,
      shows:
        'Who crawls, and who only says so: verified and spoofed Googlebots apart, smartphone and desktop apart.',
    },
    {
      path: `/bots/access?${hours}`,
      shows:
        'Who is let in: Bytespider turned away, some AI crawlers slowed down (429), impostors met with 403.',
    },
    {
      path: `/bots/unknown?${hours}`,
      shows:
        'Bots that say so and that no table knows. Agents that show a browser instead are `undeclared_agent_requests` of the summary.',
    },
    { path: `/paths?${hours}&limit=10`, shows: 'The most requested paths.' },
    {
      path: `/status-codes?${around(outage)}`,
      shows: `The outage of ${minute(outage.start)}: an hour of 502, 503 and 504 between two quiet ones.`,
    },
    {
      path: `/traffic?${around(deploy)}`,
      shows: `The deployment of ${minute(deploy.start)}: an hour in which pages took several times as long.`,
    },
    {
      path: `/referrers?${hours}&limit=15`,
      shows: 'Where people come from: search, social networks, AI assistants.',
    },
    {
      path: `/llms?${hours}&max_rows=10`,
      shows: 'Which AI systems read the shop, what for, and which pages.',
    },
    {
      path: `/ai-funnel?${hours}`,
      shows: 'What each AI operator fetches, and the visits that its assistants send back.',
    },
    {
      path: `/ai-landing?${hours}&limit=5`,
      shows: 'The guide that assistants send people to, and where those go from there.',
    },
    { path: `/geography?${hours}&max_rows=10`, shows: 'Countries and cities.' },
    { path: `/devices?${hours}`, shows: 'Browsers, operating systems and kinds of device.' },
    {
      path: `/ips?${hours}&max_rows=10`,
      shows: 'The busiest addresses and networks; scanners are among them.',
    },
    {
      // Of every crawler: Googlebot and bingbot are told from impostors by DNS, which may not be there.
      path: `/requests?${hours}&bot_verified=false&limit=5`,
      shows:
        'Requests, one by one, that claim to be GPTBot, ClaudeBot or (proven by DNS, which takes some seconds) Googlebot and are not.',
    },
    {
      path: `/seo/url-patterns?${hours}&max_rows=8`,
      shows: 'Where search crawlers spend their time: filters by the thousand, a calendar without an end.',
    },
    {
      path: `/seo/status-consistency?${hours}&max_rows=8`,
      shows: 'Pages that answer now so, now so: the template of /hire/ breaks on every third call.',
    },
    {
      path: `/seo/robots?${hours}`,
      shows: 'Crawlers that fetch what robots.txt keeps from them: the guides, for training.',
    },
    {
      path: '/seo/sitemap?status=stale&page_size=10',
      shows:
        'Pages of the sitemaps that search crawlers have left alone for a month: lookbooks of past seasons. Those of the coming one are `never_crawled`, the calendar of /hire/ is `not_in_sitemap`.',
    },
    {
      path: `/crawl-report?${hours}&limit=10`,
      shows:
        'A crawl of the shop beside the logs: linked pages that search crawlers ignore, and pages that they fetch though nothing links to them.',
    },
    {
      path: `/crawl-audit?${hours}&limit=3`,
      shows: 'What is wrong with its pages, by how often search crawlers fetch them.',
    },
    {
      path: `/crawl-links?${hours}&limit=50`,
      shows: 'Its pages by internal PageRank, and the links between them.',
    },
    {
      path: `/search/performance?hours=672`,
      shows: 'What a search engine showed of it and what was clicked: recorded, for the shop does not exist.',
    },
    {
      path: '/ga/overview?hours=24',
      shows:
        'Sessions by web analytics, recorded as well: who sent them, and how many views the script missed that the logs have.',
    },
    { path: '/ga/pages?hours=24&limit=10', shows: 'The pages on which they began.' },
    {
      path: `/alerts?view=incidents&limit=200`,
      shows: `What the detector found, each once: the outage of ${minute(outage.start)}, the slow deployment, scanners, false crawlers.`,
    },
    {
      path: '/health',
      shows: 'How the shop is right now, beside what is usual at this hour of the week.',
    },
    {
      path: `/recommendations?${hours}`,
      shows: 'Whom to block, which pages to repair. `/recommendations/snippet` makes configuration of it.',
    },
    {
      path: '/checks',
      shows: 'What the nightly checks say, begun just now: some minutes later all verdicts rest on the logs.',
    },
    {
      path: '/insights',
      shows: 'A text about the week, of fixed sentences here; with INSIGHTS_URL a language model writes it.',
    },
    { path: '/live?type=bots', shows: 'The newest bot requests.' },
  ];
}

/** `2026-11-18T14:00Z` */
function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

import { aiClaims } from '../../../../shared/answers/ai-claims.js';
import { botsAccess } from '../../../../shared/answers/bot-access.js';
import { readCrawlHealth } from '../../../../shared/answers/crawl-health.js';
import { seo } from '../../../../shared/answers/seo.js';
import { summary } from '../../../../shared/answers/summary.js';
import type { ClickHouseReader } from '../../../../shared/clickhouse/client.js';
import { NAMELESS_CLIENTS } from '../../../../shared/crawlers/table.js';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { bots } from '../../../../shared/queries/rollups.js';
import { previousWindow, type Scope } from '../../../../shared/queries/scope.js';
import { select } from '../../../../shared/queries/select.js';
import { type Absent, absent } from '../check.js';
import type { LogFacts } from '../facts.js';

const DAYS = 7;
const search = { params_filter: 'all' } as const;
const MOST_BOTS = 500;
/** People and crawlers come by the hour of the day: what the logs of less hold is not how the website is. */
const LEAST_MS = DAY_MS;

/** The seven days up to now, from a whole hour on, as the API answers `hours=168`. */
export function weekUpTo(websiteId: string, now: number): Scope {
  const start = Math.floor((now - DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  return { websiteId, window: { start, end: now, running: true }, filters: {} };
}

async function readAiClaims(reader: ClickHouseReader, scope: Scope): Promise<LogFacts['aiClaims']> {
  const { list } = await select(reader, scope, {
    name: 'checks.ai_claims',
    from: [bots],
    lists: { list: { by: ['bot_category'] } },
    metrics: ['requests', 'spoofed_requests', 'pending_requests'],
    where: [aiClaims],
  });
  const sum = (name: 'requests' | 'spoofed_requests' | 'pending_requests') =>
    list.reduce((total, row) => total + row[name], 0);
  return {
    claims: sum('requests'),
    spoofed: sum('spoofed_requests'),
    pending: sum('pending_requests'),
  };
}

/** One read after the other: nobody waits for them. Absent until the logs hold a day. @throws as `ClickHouseReader.read` */
export async function gatherLogs(reader: ClickHouseReader, scope: Scope): Promise<LogFacts | Absent> {
  const before = previousWindow(scope.window);
  const all = await summary.read(reader, scope, undefined);
  if (all.data_since === null) return absent('There are no logs of this website yet.', 'unconfirmed');
  const since = Date.parse(all.data_since);
  if (scope.window.end - since < LEAST_MS)
    return absent(
      `The logs begin at ${all.data_since}, less than a day ago: too little to judge by.`,
      'unconfirmed',
      { logs_since: all.data_since },
    );
  const crawl = await seo.read(reader, scope, search);
  const earlier = await seo.read(reader, { ...scope, window: before }, search);
  const health = await readCrawlHealth(reader, scope);
  const { bots: access } = await botsAccess.read(reader, scope, { limit: MOST_BOTS });
  const requestsOf = (names: typeof access) => names.reduce((sum, { requests }) => sum + requests, 0);
  return {
    since,
    requests: all.total_requests,
    botRequests: all.bot_requests,
    undeclaredRequests: all.undeclared_agent_requests,
    unknownBotRequests: requestsOf(
      access.filter(
        ({ bot_operator, bot_name }) => bot_operator === '' && !NAMELESS_CLIENTS.includes(bot_name),
      ),
    ),
    namelessRequests: requestsOf(access.filter(({ bot_name }) => NAMELESS_CLIENTS.includes(bot_name))),
    p95Ms: all.p95_time_ms,
    access: access.map((bot) => ({
      name: bot.bot_name,
      category: bot.bot_category,
      served: bot.served.verified,
      rejected: bot.rejected.verified,
      byStatus: bot.rejected_by_status,
    })),
    aiClaims: await readAiClaims(reader, scope),
    crawl: {
      ...health,
      requestsBefore: since <= before.start ? earlier.crawler_requests : null,
      spoofed: crawl.unverified_suspicious,
      pending: crawl.pending_requests,
      meanMs: crawl.avg_response_time_ms,
    },
  };
}

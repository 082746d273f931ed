import { aiClaims } from '../../../../shared/answers/ai-claims.js';
import { botsAccess } from '../../../../shared/answers/bot-access.js';
import { readCrawlHealth } from '../../../../shared/answers/crawl-health.js';
import { seo } from '../../../../shared/answers/seo.js';
import { summary } from '../../../../shared/answers/summary.js';
import type { ClickHouseReader } from '../../../../shared/clickhouse/client.js';
import { NO_USER_AGENT } from '../../../../shared/crawlers/table.js';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { bots } from '../../../../shared/queries/rollups.js';
import { previousWindow, type Scope } from '../../../../shared/queries/scope.js';
import { select } from '../../../../shared/queries/select.js';
import type { LogFacts } from '../facts.js';

const DAYS = 7;
const search = { params_filter: 'all' } as const;
const MOST_BOTS = 500;

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

/** One read after the other: nobody waits for them. @throws as `ClickHouseReader.read` */
export async function gatherLogs(reader: ClickHouseReader, scope: Scope): Promise<LogFacts> {
  const before = previousWindow(scope.window);
  const all = await summary.read(reader, scope, undefined);
  const crawl = await seo.read(reader, scope, search);
  const earlier = await seo.read(reader, { ...scope, window: before }, search);
  const health = await readCrawlHealth(reader, scope);
  const { bots: access } = await botsAccess.read(reader, scope, { limit: MOST_BOTS });
  const requestsOf = (names: typeof access) => names.reduce((sum, { requests }) => sum + requests, 0);
  const isWhole = all.data_since !== null && Date.parse(all.data_since) <= before.start;
  return {
    requests: all.total_requests,
    botRequests: all.bot_requests,
    undeclaredRequests: all.undeclared_agent_requests,
    unknownBotRequests: requestsOf(
      access.filter(({ bot_operator, bot_name }) => bot_operator === '' && bot_name !== NO_USER_AGENT),
    ),
    noUserAgentRequests: requestsOf(access.filter(({ bot_name }) => bot_name === NO_USER_AGENT)),
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
      requestsBefore: isWhole ? earlier.crawler_requests : null,
      spoofed: crawl.unverified_suspicious,
      pending: crawl.pending_requests,
      meanMs: crawl.avg_response_time_ms,
    },
  };
}

import { botsAccess } from '../../../../shared/answers/bot-access.js';
import { readCrawlHealth } from '../../../../shared/answers/crawl-health.js';
import { seo } from '../../../../shared/answers/seo.js';
import { statusConsistency } from '../../../../shared/answers/status-consistency.js';
import { summary } from '../../../../shared/answers/summary.js';
import type { ClickHouseReader } from '../../../../shared/clickhouse/client.js';
import { NO_USER_AGENT } from '../../../../shared/crawlers/table.js';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { previousWindow, type Scope } from '../../../../shared/queries/scope.js';
import type { LogFacts } from '../facts.js';

const DAYS = 7;
const search = { params_filter: 'all' } as const;
const MOST_BOTS = 500;
const MOST_WORST = 5;
/** As `status-consistency` has it where nothing else is asked for. */
const LEAST_REQUESTS = 3;

/** The seven days up to now, from a whole hour on, as the API answers `hours=168`. */
export function weekUpTo(websiteId: string, now: number): Scope {
  const start = Math.floor((now - DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  return { websiteId, window: { start, end: now, running: true }, filters: {} };
}

/** One read after the other: nobody waits for them. @throws as `ClickHouseReader.read` */
export async function gatherLogs(reader: ClickHouseReader, scope: Scope): Promise<LogFacts> {
  const before = previousWindow(scope.window);
  const all = await summary.read(reader, scope, undefined);
  const crawl = await seo.read(reader, scope, search);
  const earlier = await seo.read(reader, { ...scope, window: before }, search);
  const health = await readCrawlHealth(reader, scope);
  const { bots } = await botsAccess.read(reader, scope, { limit: MOST_BOTS });
  const consistency = await statusConsistency.read(reader, scope, {
    ...search,
    min_requests: LEAST_REQUESTS,
    limit: MOST_WORST,
  });
  const requestsOf = (names: typeof bots) => names.reduce((sum, { requests }) => sum + requests, 0);
  const isWhole = all.data_since !== null && Date.parse(all.data_since) <= before.start;
  return {
    requests: all.total_requests,
    botRequests: all.bot_requests,
    undeclaredRequests: all.undeclared_agent_requests,
    unknownBotRequests: requestsOf(
      bots.filter(({ bot_operator, bot_name }) => bot_operator === '' && bot_name !== NO_USER_AGENT),
    ),
    noUserAgentRequests: requestsOf(bots.filter(({ bot_name }) => bot_name === NO_USER_AGENT)),
    p95Ms: all.p95_time_ms,
    access: bots.map((bot) => ({
      name: bot.bot_name,
      category: bot.bot_category,
      served: bot.served.verified,
      rejected: bot.rejected.verified,
      byStatus: bot.rejected_by_status,
    })),
    crawl: {
      ...health,
      requestsBefore: isWhole ? earlier.crawler_requests : null,
      spoofed: crawl.unverified_suspicious,
      meanMs: crawl.avg_response_time_ms,
      consistency: {
        checked: consistency.summary.total_pages_checked,
        critical: consistency.summary.critical,
        warning: consistency.summary.warning,
        worst: consistency.pages.map(({ path, statuses }) => ({ path, statuses })),
      },
    },
  };
}

import { NAMELESS_CLIENTS } from '../../../../shared/crawlers/table.js';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { botsAccess } from '../../../../shared/reads/bots/bot-access.js';
import { oneOf } from '../../../../shared/reads/sql/filters.js';
import { bots } from '../../../../shared/reads/sql/read-tables.js';
import type { Scope } from '../../../../shared/reads/sql/scope.js';
import { select } from '../../../../shared/reads/sql/select.js';
import { summary } from '../../../../shared/reads/traffic/summary.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { readCrawlHealth } from '../../crawls/health/crawl-health.js';
import { type Absent, absent } from '../facts/check.js';
import type { LogFacts } from '../facts/facts.js';

const DAYS = 7;
const MOST_BOTS = 500;
/** Traffic depends on the hour of the day, so shorter logs are not representative. */
const LEAST_MS = DAY_MS;

/** The last 168 whole hours. Each statement would also read the raw rows of an hour that the window cuts. */
export function weekUpTo(websiteId: string, now: number): Scope {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  return { websiteId, window: { start: end - DAYS * DAY_MS, end }, filters: {} };
}

/** Claims of all search and AI crawlers. */
async function readClaims(reader: ClickHouseReader, scope: Scope): Promise<LogFacts['claims']> {
  const { list } = await select(reader, scope, {
    name: 'checks.claims',
    from: [bots],
    lists: { list: { by: ['bot_category', 'bot_name'], limit: MOST_BOTS } },
    metrics: ['requests', 'verified_requests', 'spoofed_requests', 'undecided_requests'],
    where: [oneOf('bot_category', ['search', 'ai'])],
  });
  return list.map((row) => ({
    name: row.bot_name,
    category: row.bot_category,
    claims: row.requests,
    verified: row.verified_requests,
    spoofed: row.spoofed_requests,
    undecided: row.undecided_requests,
  }));
}

/** Reads sequentially, because no user waits. Absent until the logs cover a day. @throws as `ClickHouseReader.read` */
export async function gatherLogs(reader: ClickHouseReader, scope: Scope): Promise<LogFacts | Absent> {
  const all = await summary.read(reader, scope, undefined);
  if (all.data_since === null) return absent('There are no logs of this website yet.', 'unconfirmed');
  const since = Date.parse(all.data_since);
  if (scope.window.end - since < LEAST_MS)
    return absent(
      `The logs begin at ${all.data_since}, less than a day ago, which is too short for this check.`,
      'unconfirmed',
      { logs_since: all.data_since },
    );
  const health = await readCrawlHealth(reader, scope);
  const { bots: access } = await botsAccess.read(reader, scope, { limit: MOST_BOTS });
  const claims = await readClaims(reader, scope);
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
      operator: bot.bot_operator,
      category: bot.bot_category,
      real: bot.real_crawler,
      served: bot.served.verified,
      rejected: bot.rejected.verified,
      charged: bot.payment_required.verified,
      byStatus: bot.rejected_verified_by_status,
      unverifiedServed: bot.served.unverified,
      unverifiedRejected: bot.rejected.unverified,
    })),
    claims,
    crawl: {
      ...health,
      undecided: claims
        .filter(({ category }) => category === 'search')
        .reduce((sum, { undecided }) => sum + undecided, 0),
    },
  };
}

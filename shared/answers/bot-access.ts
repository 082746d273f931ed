import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { oneOf } from '../queries/filters.js';
import { rejectionStatuses } from '../queries/metrics.js';
import { bots, crawlerPaths } from '../queries/rollups.js';
import type { Scope } from '../queries/scope.js';
import { select, selectList } from '../queries/select.js';
import { answer } from './answer.js';
import { accessClasses, classifyAccess, classifyRejected, rejectedGroups } from './classify-access.js';
import { botCategory } from './enumeration.js';
import { count, loggedPath, percentOf, requestCount } from './figures.js';
import { datedWindow, dateWindow } from './windows.js';

const REJECTED_PATHS = 5;

const split = z.object({
  requests: requestCount,
  verified: count('From addresses proved to be those of the bot.'),
  unverified: count('All others: impersonators, bots that cannot be verified, and those not answered yet.'),
});

const botAccess = z
  .object({
    bot_name: z.string(),
    bot_operator: z.string(),
    bot_category: botCategory,
    requests: count('All requests of the bot, however answered.'),
    served: split.openapi({ description: 'Answered 2xx or 3xx.' }),
    rejected: split.openapi({ description: `Answered ${rejectionStatuses.join(', ')}.` }),
    rejected_share_pct: z.number().openapi({ description: 'Percent of the requests of the bot.' }),
    rejected_by_status: z
      .record(z.string(), z.int())
      .openapi({ description: 'Rejected requests by status; absent ones had none.', example: { 403: 12 } }),
    rejected_paths: z
      .array(z.object({ path: loggedPath, status: z.int(), requests: requestCount }))
      .openapi({ description: `The ${REJECTED_PATHS} paths and statuses with most rejections.` }),
    access: z.enum(accessClasses).openapi({
      description:
        'served: never rejected; rejected: never served; mixed: both; none: neither, as with 404 and 5xx alone.',
    }),
    rejected_who: z.enum(rejectedGroups).nullable().openapi({
      description:
        'Whom the rejections met, of those whose claim could be decided: verified_only, impersonators_only or both; unverifiable where none could; null without rejections.',
    }),
  })
  .openapi('BotAccess');

export const botsAccess = answer({
  schema: z.object({ ...datedWindow, bots: z.array(botAccess) }),
  from: [[bots], [crawlerPaths]],
  async read(reader, scope, { limit }: { limit: number }) {
    const [dated, all] = await Promise.all([dateWindow(reader, scope), readAccess(reader, scope)]);
    const rows = all.slice(0, limit);
    const rejectedBots = rows.filter((row) => row.rejected_requests > 0).map(({ bot_name }) => bot_name);
    const rejections = rejectedBots.length === 0 ? [] : await readRejections(reader, scope, rejectedBots);
    return {
      ...dated.told,
      bots: rows.map((row) =>
        toBotAccess(
          row,
          rejections.filter(({ bot_name }) => bot_name === row.bot_name),
        ),
      ),
    };
  },
});

const byStatus = rejectionStatuses.map((status) => `status_${status}` as const);

/** Most rejected requests first, then most requests, then by name. */
async function readAccess(reader: ClickHouseReader, scope: Scope) {
  const { list } = await select(reader, scope, {
    name: 'bots_access.bots',
    from: [bots],
    lists: { list: { by: ['bot_name'] } },
    foldedHere: true,
    metrics: [
      'requests',
      'served_requests',
      'served_verified',
      'rejected_requests',
      'rejected_verified',
      'rejected_spoofed',
      ...byStatus,
    ],
    latest: ['bot_operator', 'bot_category'],
  });
  // In the order of the engine where they are equal.
  return list.toSorted((a, b) => b.rejected_requests - a.rejected_requests);
}

/** Of each bot the paths and statuses with most. */
function readRejections(reader: ClickHouseReader, scope: Scope, names: readonly string[]) {
  return selectList(reader, scope, {
    name: 'bots_access.rejections',
    from: [crawlerPaths],
    by: ['bot_name', 'path', 'status'],
    limit: REJECTED_PATHS,
    limitPer: 'bot_name',
    metrics: ['requests'],
    where: [oneOf('bot_name', names), oneOf('status', rejectionStatuses, 'UInt16')],
  });
}

type AccessRow = Awaited<ReturnType<typeof readAccess>>[number];
type RejectionRow = Awaited<ReturnType<typeof readRejections>>[number];

function toBotAccess(row: AccessRow, rejections: readonly RejectionRow[]): z.input<typeof botAccess> {
  const counts = rejectionStatuses.map((status) => [String(status), row[`status_${status}`]] as const);
  const fare = { served: row.served_requests, rejected: row.rejected_requests };
  return {
    bot_name: row.bot_name,
    bot_operator: row.latest_bot_operator,
    bot_category: row.latest_bot_category,
    requests: row.requests,
    served: toSplit(row.served_requests, row.served_verified),
    rejected: toSplit(row.rejected_requests, row.rejected_verified),
    rejected_share_pct: percentOf(row.rejected_requests, row.requests),
    rejected_by_status: Object.fromEntries(counts.filter(([, requests]) => requests > 0)),
    rejected_paths: rejections.map(({ path, status, requests }) => ({ path, status, requests })),
    access: classifyAccess(fare),
    rejected_who: classifyRejected({
      rejected: row.rejected_requests,
      rejected_verified: row.rejected_verified,
      rejected_spoofed: row.rejected_spoofed,
    }),
  };
}

function toSplit(requests: number, verified: number): z.input<typeof split> {
  return { requests, verified, unverified: requests - verified };
}

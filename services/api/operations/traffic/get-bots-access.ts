import { z } from '@hono/zod-openapi';
import {
  type BotAccessRow,
  listBotAccess,
  listRejectedPaths,
  type RejectedPathRow,
  rejectionStatuses,
} from '../../../../shared/queries/bot-access.js';
import { integerParameter, windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { botCategory } from '../enumeration.js';
import { segmentRead } from '../segment-read.js';
import { accessClasses, classifyAccess, classifyRejected, rejectedGroups } from './classify-access.js';
import { count, requestCount } from './figures.js';

const DEFAULT_HOURS = 168;
const REJECTED_PATHS = 5;

const split = z.object({
  requests: requestCount,
  verified: count('From addresses proved to be those of the bot.'),
  unverified: count('All others: impersonators, bots that cannot be verified, and those not answered yet.'),
});

const botAccess = z
  .object({
    bot_name: z.string(),
    operator: z.string(),
    category: botCategory,
    total_requests: count('All requests of the bot, however answered.'),
    served: split.openapi({ description: 'Answered 2xx or 3xx.' }),
    rejected: split.openapi({ description: `Answered ${rejectionStatuses.join(', ')}.` }),
    rejected_by_status: z
      .record(z.string(), z.int())
      .openapi({ description: 'Rejected requests by status; absent ones had none.', example: { 403: 12 } }),
    rejected_paths: z
      .array(z.object({ path: z.string(), status: z.int(), requests: requestCount }))
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

export const getBotsAccess = segmentRead({
  id: 'getBotsAccess',
  tag: 'Traffic',
  path: '/bots/access',
  summary: 'Which bots are let in and which are turned away',
  description:
    'For each bot how often it was served and how often turned away, and whether that met the bot itself or impersonators: rejecting `impersonators_only` is a firewall at work, `verified_only` and `both` mean that the real bot is kept out. Most rejections first.',
  query: z.object({
    ...windowParameters({ defaultHours: DEFAULT_HOURS }),
    limit: integerParameter({ min: 1, max: 500, default: 200, description: 'Bots in the answer.' }),
  }),
  answer: z.object({ window: answerWindow, bots: z.array(botAccess) }),
  async read(reader, scope, input) {
    const rows = await listBotAccess(reader, scope, { limit: input.limit });
    const rejectedBots = rows.filter(({ rejected }) => rejected > 0).map(({ bot_name }) => bot_name);
    const rejections =
      rejectedBots.length === 0
        ? []
        : await listRejectedPaths(reader, scope, { bots: rejectedBots, perBot: REJECTED_PATHS });
    return {
      window: toAnswerWindow(scope.window),
      bots: rows.map((row) =>
        toBotAccess(
          row,
          rejections.filter(({ bot_name }) => bot_name === row.bot_name),
        ),
      ),
    };
  },
});

function toBotAccess(row: BotAccessRow, paths: readonly RejectedPathRow[]): z.input<typeof botAccess> {
  const byStatus = rejectionStatuses.map((status) => [String(status), row[`rejected_${status}`]] as const);
  return {
    bot_name: row.bot_name,
    operator: row.bot_operator,
    category: row.bot_category,
    total_requests: row.requests,
    served: toSplit(row.served, row.served_verified),
    rejected: toSplit(row.rejected, row.rejected_verified),
    rejected_by_status: Object.fromEntries(byStatus.filter(([, requests]) => requests > 0)),
    rejected_paths: paths.map(({ path, status, requests }) => ({ path, status, requests })),
    access: classifyAccess(row),
    rejected_who: classifyRejected(row),
  };
}

function toSplit(requests: number, verified: number): z.input<typeof split> {
  return { requests, verified, unverified: requests - verified };
}

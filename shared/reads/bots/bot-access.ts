import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { botCategory } from '../answer/enumeration.js';
import { count, loggedPath, percentOf, requestCount } from '../answer/figures.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { oneOf } from '../sql/filters.js';
import { PAYMENT_REQUIRED, rejectionStatuses } from '../sql/metrics.js';
import { bots, crawlerPaths } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select, selectList } from '../sql/select.js';
import {
  type AnsweredClaims,
  accessClasses,
  classifyAccess,
  classifyRealCrawler,
  classifyRejected,
  LIMITED_PCT,
  realCrawlerWords,
  rejectedGroups,
  SHUT_OUT_PCT,
} from './classify-access.js';

const REJECTED_PATHS = 5;

const split = z.object({
  requests: requestCount,
  verified: count('From verified addresses of the bot.'),
  unverified: count('All others: impostors, bots that cannot be verified, and pending verifications.'),
  spoofed: count('Unverified requests that were proved to be from impostors.'),
});

const rejectedByStatus = (description: string) =>
  z.record(z.string(), z.int()).openapi({ description, example: { 403: 12 } });

const botAccess = z
  .object({
    bot_name: z.string(),
    bot_operator: z.string(),
    bot_category: botCategory,
    requests: count('All requests under the name of the bot, with any status.'),
    verified_requests: count('Requests from verified addresses of the bot.'),
    unproved_requests: count(
      'Requests whose claim is not decided: pending, or of a bot that cannot be verified.',
    ),
    spoofed_requests: count('Requests that were proved to be from impostors.'),
    served: split.openapi({ description: 'Answered 2xx or 3xx.' }),
    rejected: split.openapi({ description: `Answered ${rejectionStatuses.join(', ')}.` }),
    rejected_share_pct: z.number().openapi({ description: 'Percentage of the requests of the bot.' }),
    payment_required: split.openapi({
      description: `Answered ${PAYMENT_REQUIRED}: payment required, for example by a CDN that charges for crawling. Counted in neither served nor rejected.`,
    }),
    rejected_by_status: rejectedByStatus(
      'Rejected requests by status; statuses without requests are absent.',
    ),
    rejected_verified_by_status: rejectedByStatus('Rejected verified requests by status.'),
    rejected_paths: z
      .array(z.object({ path: loggedPath, status: z.int(), requests: requestCount }))
      .openapi({ description: `The ${REJECTED_PATHS} paths and statuses with the most rejections.` }),
    access: z.enum(accessClasses).openapi({
      description:
        'served: never rejected; rejected: never served; mixed: both; none: neither, such as only 402, 404 and 5xx. The verified requests decide; without any, the unproved ones; if only impostors came, theirs. real_crawler shows which.',
    }),
    real_crawler: z.enum(realCrawlerWords).openapi({
      description: `Access of the real crawler, by its verified requests that were served, rejected or required to pay. let_in: less than ${LIMITED_PCT} % were rejected; limited: ${LIMITED_PCT} % or more; shut_out: ${SHUT_OUT_PCT} % or more; inverted: as shut_out, while unverified requests under its name are served: the real crawler is rejected and impostors are served; charged: as shut_out, by ${PAYMENT_REQUIRED} only; unanswered: none was served or rejected. unproved: no request is verified, so access is based on unproved claims. absent: only proven impostors came.`,
    }),
    rejected_who: z.enum(rejectedGroups).nullable().openapi({
      description:
        'The senders of the rejected requests. verified_only: every rejected request is proved to be from the bot. impersonators_only: every one is from a proven impostor. both: verified requests and others, which are from impostors or undecided. unverifiable: none is verified, and some are undecided. null without rejections. The rule is the same as for verification_status in /bots.',
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
      ...dated.fields,
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
const verifiedByStatus = rejectionStatuses.map((status) => `verified_${status}` as const);

/** Most rejected requests first, then most requests, then by name. */
async function readAccess(reader: ClickHouseReader, scope: Scope) {
  const { list } = await select(reader, scope, {
    name: 'bots_access.bots',
    from: [bots],
    lists: { list: { by: ['bot_name'] } },
    foldedHere: true,
    metrics: [
      'requests',
      'verified_requests',
      'spoofed_requests',
      'served_requests',
      'served_verified',
      'served_spoofed',
      'rejected_requests',
      'rejected_verified',
      'rejected_spoofed',
      'status_402',
      'verified_402',
      'spoofed_402',
      ...byStatus,
      ...verifiedByStatus,
    ],
    latest: ['bot_operator', 'bot_category'],
  });
  // The sort is stable: the engine's order decides ties.
  return list.toSorted((a, b) => b.rejected_requests - a.rejected_requests);
}

/** Paths and statuses with the most rejections of each bot. */
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
  const claims = claimsOf(row);
  return {
    bot_name: row.bot_name,
    bot_operator: row.latest_bot_operator,
    bot_category: row.latest_bot_category,
    requests: row.requests,
    verified_requests: claims.verified.requests,
    unproved_requests: claims.unproved.requests,
    spoofed_requests: claims.spoofed.requests,
    served: toSplit(claims, 'served'),
    rejected: toSplit(claims, 'rejected'),
    payment_required: toSplit(claims, 'charged'),
    rejected_share_pct: percentOf(row.rejected_requests, row.requests),
    rejected_by_status: occurring((status) => row[`status_${status}`]),
    rejected_verified_by_status: occurring((status) => row[`verified_${status}`]),
    rejected_paths: rejections.map(({ path, status, requests }) => ({ path, status, requests })),
    access: classifyAccess(claims),
    real_crawler: classifyRealCrawler(claims),
    rejected_who: classifyRejected(claims),
  };
}

function claimsOf(row: AccessRow): AnsweredClaims {
  const verified = {
    requests: row.verified_requests,
    served: row.served_verified,
    rejected: row.rejected_verified,
    charged: row.verified_402,
  };
  const spoofed = {
    requests: row.spoofed_requests,
    served: row.served_spoofed,
    rejected: row.rejected_spoofed,
    charged: row.spoofed_402,
  };
  return {
    verified,
    spoofed,
    unproved: {
      requests: row.requests - verified.requests - spoofed.requests,
      served: row.served_requests - verified.served - spoofed.served,
      rejected: row.rejected_requests - verified.rejected - spoofed.rejected,
      charged: row.status_402 - verified.charged - spoofed.charged,
    },
  };
}

function toSplit(
  { verified, unproved, spoofed }: AnsweredClaims,
  how: 'served' | 'rejected' | 'charged',
): z.input<typeof split> {
  const unverified = unproved[how] + spoofed[how];
  return { requests: verified[how] + unverified, verified: verified[how], unverified, spoofed: spoofed[how] };
}

function occurring(countOf: (status: (typeof rejectionStatuses)[number]) => number): Record<string, number> {
  const counts = rejectionStatuses.map((status) => [String(status), countOf(status)] as const);
  return Object.fromEntries(counts.filter(([, requests]) => requests > 0));
}

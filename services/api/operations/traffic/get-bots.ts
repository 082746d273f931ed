import { z } from '@hono/zod-openapi';
import {
  type BotRow,
  countBots,
  listBotCategories,
  listBots,
  readBotTotals,
} from '../../../../shared/queries/bots.js';
import { readRequestTotals } from '../../../../shared/queries/estimates.js';
import { previousWindow } from '../../../../shared/queries/scope.js';
import { booleanParameter, windowParameters } from '../../parameters.js';
import { answerWindow, toAnswerWindow } from '../answer-window.js';
import { aiIntentOrNone, botCategory } from '../enumeration.js';
import { instant, toInstant } from '../instant.js';
import { segmentRead } from '../segment-read.js';
import {
  averageTimeMs,
  avgTimeMs,
  bytesSent,
  changePct,
  count,
  deltaPct,
  percentOf,
  previousRequests,
  requestCount,
  statusClassCounts,
  toStatusClassCounts,
  uniqueIps,
  uniquePaths,
} from './figures.js';

/** More named bots than any site meets; what goes beyond is in the totals. */
const MAX_BOTS = 1000;

const verificationCounts = {
  verified_requests: count('The address proved to be one of the bot.'),
  spoofed_requests: count('The bot has a way to be verified, and this address failed it.'),
  unverifiable_requests: count('The operator publishes no way to verify the bot.'),
  pending_requests: count('Not answered yet; corrected later.'),
};

const bot = z
  .object({
    bot_name: z.string().openapi({ example: 'Googlebot' }),
    variant: z.string().openapi({
      description: 'smartphone or desktop with split_variants; else empty.',
      example: 'smartphone',
    }),
    family: z.string(),
    operator: z.string().openapi({ example: 'Google' }),
    category: botCategory,
    ai_intent: aiIntentOrNone,
    requests: requestCount,
    share_pct: z.number().openapi({ description: 'Percent of all bot requests of the window.' }),
    verification_status: z.enum(['verified', 'spoofed', 'mixed', 'unverifiable', 'pending']).openapi({
      description:
        'verified or spoofed: all that could be decided was so; mixed: both occurred; pending: nothing decided yet; unverifiable: nothing can be.',
    }),
    ...verificationCounts,
    unique_ips: uniqueIps,
    unique_paths: uniquePaths,
    bytes_sent: bytesSent,
    ...statusClassCounts,
    avg_time_ms: avgTimeMs,
    first_seen: instant.openapi({ description: 'First request inside the window.' }),
    last_seen: instant.openapi({ description: 'Last request inside the window.' }),
    previous_requests: previousRequests,
    delta_pct: deltaPct,
  })
  .openapi('Bot');

const totals = z.object({
  bot_requests: requestCount,
  share_of_traffic_pct: z.number().openapi({ description: 'Percent of all requests, humans included.' }),
  ...verificationCounts,
});

export const getBots = segmentRead({
  id: 'getBots',
  tag: 'Traffic',
  path: '/bots',
  summary: 'Bots and whether they are who they say',
  description:
    'Every request whose user agent claims to be a bot, by bot, most requests first, with how the claims stood against the published address ranges and DNS of the operators. A name that fails is counted under the name it claims, as `spoofed_requests`.',
  query: z.object({
    ...windowParameters({ clamp: true }),
    split_variants: booleanParameter(
      'true, 1 or yes: the smartphone and desktop variants of the main search crawlers as rows of their own.',
    ),
  }),
  answer: z.object({
    window: answerWindow,
    totals,
    previous: totals.extend({ window: answerWindow }),
    deltas: z.object({
      bot_requests_pct: deltaPct,
      verified_requests_pct: deltaPct,
      spoofed_requests_pct: deltaPct,
    }),
    by_category: z.array(
      z.object({
        category: botCategory,
        bots: count('Distinct bot names.'),
        requests: requestCount,
        share_pct: z.number().openapi({ description: 'Percent of all bot requests of the window.' }),
        verified_requests: requestCount,
        spoofed_requests: requestCount,
        unique_ips: uniqueIps,
      }),
    ),
    bots: z.array(bot),
  }),
  async read(reader, scope, input) {
    const before = { ...scope, window: previousWindow(scope.window) };
    const splitVariants = input.split_variants ?? false;
    const [current, all, previous, allBefore, categories, bots, earlier] = await Promise.all([
      readBotTotals(reader, scope),
      readRequestTotals(reader, scope),
      readBotTotals(reader, before),
      readRequestTotals(reader, before),
      listBotCategories(reader, scope),
      listBots(reader, scope, { splitVariants, limit: MAX_BOTS }),
      countBots(reader, before, { splitVariants, limit: 10 * MAX_BOTS }),
    ]);
    const earlierRequests = new Map(earlier.map((row) => [nameOf(row), row.requests]));
    return {
      window: toAnswerWindow(scope.window),
      totals: toTotals(current, all.requests),
      previous: { window: toAnswerWindow(before.window), ...toTotals(previous, allBefore.requests) },
      deltas: {
        bot_requests_pct: changePct(current.requests, previous.requests),
        verified_requests_pct: changePct(current.verified_requests, previous.verified_requests),
        spoofed_requests_pct: changePct(current.spoofed_requests, previous.spoofed_requests),
      },
      by_category: categories.map(({ bot_category, ...row }) => ({
        category: bot_category,
        ...row,
        share_pct: percentOf(row.requests, current.requests),
      })),
      bots: bots.map((row) => toBot(row, current.requests, earlierRequests.get(nameOf(row)) ?? 0)),
    };
  },
});

const nameOf = (row: { bot_name: string; bot_variant: string }) => `${row.bot_name}\n${row.bot_variant}`;

type VerificationCounts = Record<keyof typeof verificationCounts, number>;

function toVerificationCounts(row: VerificationCounts) {
  const { verified_requests, spoofed_requests, unverifiable_requests, pending_requests } = row;
  return { verified_requests, spoofed_requests, unverifiable_requests, pending_requests };
}

function toTotals(
  row: VerificationCounts & { requests: number },
  allRequests: number,
): z.input<typeof totals> {
  return {
    bot_requests: row.requests,
    share_of_traffic_pct: percentOf(row.requests, allRequests),
    ...toVerificationCounts(row),
  };
}

function toBot(row: BotRow, botRequests: number, previous: number): z.input<typeof bot> {
  return {
    bot_name: row.bot_name,
    variant: row.bot_variant,
    family: row.bot_family,
    operator: row.bot_operator,
    category: row.bot_category,
    ai_intent: row.ai_intent,
    requests: row.requests,
    share_pct: percentOf(row.requests, botRequests),
    verification_status: summariseVerification(row),
    ...toVerificationCounts(row),
    unique_ips: row.unique_ips,
    unique_paths: row.unique_paths,
    bytes_sent: row.bytes_sent,
    ...toStatusClassCounts(row),
    avg_time_ms: averageTimeMs(row),
    first_seen: toInstant(row.first_seen),
    last_seen: toInstant(row.last_seen),
    previous_requests: previous,
    delta_pct: changePct(row.requests, previous),
  };
}

export function summariseVerification(row: VerificationCounts): z.input<typeof bot>['verification_status'] {
  if (row.verified_requests > 0) return row.spoofed_requests > 0 ? 'mixed' : 'verified';
  if (row.spoofed_requests > 0) return 'spoofed';
  return row.pending_requests > 0 ? 'pending' : 'unverifiable';
}

import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { answer } from '../answer/answer.js';
import { aiIntentOrNone, botCategory } from '../answer/enumeration.js';
import {
  averageTimeMs,
  avgTimeMs,
  bytesSent,
  type Comparison,
  changesOf,
  count,
  deltaPct,
  fieldsOf,
  percentOf,
  previousRequests,
  requestCount,
  statusClassCounts,
  statusClasses,
  toStatusClassCounts,
  undeclaredAgentRequests,
  uniqueIps,
  uniquePaths,
} from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { previousOf } from '../answer/previous.js';
import { rulesVersions, toRulesVersions } from '../answer/rules-versions.js';
import { countByVerification, summariseClaims, verificationSummary } from '../answer/verification-counts.js';
import { answerWindow, comparedWindow, compareWindows } from '../answer/windows.js';
import { botEstimates, bots as botsRollup, volumeTables } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { select, selectTotal } from '../sql/select.js';

/** More named bots than any website has; further bots count only in the totals. */
const MAX_BOTS = 1000;

const verificationCounts = {
  verified_requests: count('Requests from verified addresses of the bot.'),
  spoofed_requests: count(
    'Requests of a bot that can be verified, from an address that failed the verification.',
  ),
  unverifiable_requests: count(
    'Requests of a bot whose operator publishes no way to verify it, or whose address ranges were too old to disprove a claim.',
  ),
  pending_requests: count('Requests whose verification is pending; corrected later.'),
};
export const verificationMetrics = [
  'verified_requests',
  'spoofed_requests',
  'unverifiable_requests',
  'pending_requests',
] as const;
/** Metrics of a bot's claims, for this answer and its exports. */
export const claimMetrics = [
  'requests',
  ...verificationMetrics,
  'cdn_verified_requests',
  ...statusClasses,
  'bytes_sent',
  'timed_requests',
  'time_taken_ms',
  'first_seen',
  'last_seen',
] as const;
type VerificationCounts = Record<(typeof verificationMetrics)[number], number>;

const botShare = z.number().openapi({ description: 'Percentage of all bot requests of the window.' });

const bot = z
  .object({
    bot_name: z.string().openapi({ example: 'Googlebot' }),
    bot_variant: z.string().openapi({
      description: 'smartphone or desktop with split_variants; otherwise empty.',
      example: 'smartphone',
    }),
    bot_family: z.string(),
    bot_operator: z.string().openapi({ example: 'Google' }),
    bot_category: botCategory,
    ai_intent: aiIntentOrNone,
    requests: requestCount,
    share_pct: botShare,
    verification_status: verificationSummary,
    ...verificationCounts,
    cdn_verified_requests: count(
      "Verified requests that only the website's CDN vouches for: our own methods could not decide or were not used.",
    ),
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
  bot_requests: count(
    'Requests that claim to be a bot, including those of impostors. Excludes requests of undeclared agents, which claim no bot; `bot_requests` of /summary includes them.',
  ),
  share_of_traffic_pct: z.number().openapi({ description: 'Percentage of all requests, including humans.' }),
  ...verificationCounts,
});

const changes = changesOf(['bot_requests_pct', 'verified_requests_pct', 'spoofed_requests_pct']);

const categoryEntry = z.object({
  bot_category: botCategory,
  bots: count('Distinct bot names.'),
  requests: requestCount,
  share_pct: botShare,
  ...verificationCounts,
  unique_ips: uniqueIps,
});

export interface BotsInput {
  /** A crawler's variants (smartphone, desktop) as separate rows. */
  readonly split_variants?: boolean | undefined;
}

export const bots = answer({
  schema: z.object({
    ...comparedWindow,
    total_requests: count('All requests, including humans.'),
    undeclared_agent_requests: undeclaredAgentRequests,
    rules_versions: rulesVersions,
    totals,
    previous: totals.extend({ window: answerWindow }),
    deltas: changes.schema,
    by_category: z.array(categoryEntry),
    bots: z.array(bot),
  }),
  from: [[botsRollup], [botEstimates], volumeTables],
  async read(reader, scope, { split_variants = false }: BotsInput) {
    const [time, all, claims, unique] = await Promise.all([
      compareWindows(reader, scope),
      readAllRequests(reader, scope),
      readClaims(reader, scope, split_variants),
      readUniques(reader, scope, split_variants),
    ]);
    const current = toTotals(claims.current, all.requests);
    const previous = toTotals(claims.previous, all.previous_requests);
    const estimateOf = new Map(unique.bots.map((row) => [nameOf(row), row]));
    const ipsOf = new Map(unique.categories.map((row) => [row.bot_category, row.client_ips]));
    return {
      ...time.windows,
      total_requests: all.requests,
      undeclared_agent_requests: all.undeclared_agent_requests,
      rules_versions: toRulesVersions(claims.versions),
      totals: current,
      previous: { window: time.previous, ...previous },
      deltas: changes.between(current, previous, time.change),
      by_category: claims.categories.map((row) =>
        fieldsOf(
          categoryEntry,
          {
            bots: row.distinct_bot_name,
            share_pct: percentOf(row.requests, current.bot_requests),
            unique_ips: ipsOf.get(row.bot_category) ?? 0,
          },
          row,
        ),
      ),
      bots: claims.bots.map((row) =>
        toBot(row, estimateOf.get(nameOf(row)), current.bot_requests, time.change),
      ),
    };
  },
});

function readAllRequests(reader: ClickHouseReader, scope: Scope) {
  return selectTotal(reader, scope, {
    name: 'bots.all_requests',
    from: volumeTables,
    metrics: ['requests', 'undeclared_agent_requests'],
    previous: ['requests'],
  });
}

const byBot = (splitVariants: boolean) =>
  (splitVariants ? ['bot_name', 'bot_variant'] : ['bot_name']) as readonly ('bot_name' | 'bot_variant')[];

async function readClaims(reader: ClickHouseReader, scope: Scope, splitVariants: boolean) {
  const { verifications, categories, bots, versions } = await select(reader, scope, {
    name: 'bots.claims',
    from: [botsRollup],
    lists: {
      verifications: { by: ['verification'], withPast: true },
      categories: { by: ['bot_category'] },
      bots: { by: byBot(splitVariants), limit: MAX_BOTS },
      versions: { by: ['rules_version'] },
    },
    foldedHere: true,
    metrics: claimMetrics,
    previous: ['requests'],
    latest: ['bot_family', 'bot_operator', 'bot_category', 'ai_intent'],
    distinct: ['bot_name'],
  });
  return {
    current: countClaims(verifications),
    previous: countClaims(verifications.map(previousOf)),
    categories,
    bots,
    versions,
  };
}

function readUniques(reader: ClickHouseReader, scope: Scope, splitVariants: boolean) {
  return select(reader, scope, {
    name: 'bots.uniques',
    from: [botEstimates],
    lists: {
      categories: { by: ['bot_category'], limit: MAX_BOTS },
      bots: { by: byBot(splitVariants), limit: MAX_BOTS },
    },
    metrics: ['requests', 'client_ips', 'paths'],
  });
}

type ClaimRow = Awaited<ReturnType<typeof readClaims>>['bots'][number];
type UniquesRow = Awaited<ReturnType<typeof readUniques>>['bots'][number];

const nameOf = (row: { bot_name: string; bot_variant?: string }) =>
  `${row.bot_name}\n${row.bot_variant ?? ''}`;

function countClaims(rows: readonly { verification: string; requests: number }[]) {
  return { requests: rows.reduce((sum, row) => sum + row.requests, 0), ...countByVerification(rows) };
}

function toTotals(
  row: VerificationCounts & { requests: number },
  allRequests: number,
): z.input<typeof totals> {
  const share_of_traffic_pct = percentOf(row.requests, allRequests);
  return fieldsOf(totals, { ...row, bot_requests: row.requests, share_of_traffic_pct });
}

function toBot(
  row: ClaimRow,
  unique: UniquesRow | undefined,
  botRequests: number,
  change: Comparison,
): z.input<typeof bot> {
  return fieldsOf(
    bot,
    {
      bot_variant: row.bot_variant ?? '',
      bot_family: row.latest_bot_family,
      bot_operator: row.latest_bot_operator,
      bot_category: row.latest_bot_category,
      ai_intent: row.latest_ai_intent,
      share_pct: percentOf(row.requests, botRequests),
      verification_status: summariseClaims(row),
      unique_ips: unique?.client_ips ?? 0,
      unique_paths: unique?.paths ?? 0,
      status_other: toStatusClassCounts(row).status_other,
      avg_time_ms: averageTimeMs(row),
      first_seen: toInstant(row.first_seen),
      last_seen: toInstant(row.last_seen),
      delta_pct: change.pct(row.requests, row.previous_requests),
    },
    row,
  );
}

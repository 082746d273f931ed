import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { inStatusClass, type MetricName, merged, mergedInstant } from './metrics.js';
import { type Rollup, rollupSource, type Source } from './rollup.js';
import type { Scope } from './scope.js';
import { resolvedVerification } from './verification.js';

/** Requests that claim to be a bot, by bot, claim and answer. */

const botsRollup: Rollup = {
  hourTable: 'bots_per_hour',
  filter: 'r.is_bot',
  dimensions: {
    bot_name: 'r.bot_name',
    bot_variant: 'r.bot_variant',
    bot_family: 'r.bot_family',
    bot_operator: 'r.bot_operator',
    bot_category: 'r.bot_category',
    ai_intent: 'r.ai_intent',
    bot_verification: 'r.bot_verification',
    pending_ip: "if(r.bot_verification = 'pending', r.client_ip, toIPv6('::'))",
    country: 'r.country',
    status: 'r.status',
  },
  metrics: ['requests', 'bytes_sent', 'timed_requests', 'time_taken_ms', 'first_seen', 'last_seen'],
};

/** What a claim's standing is computed from. */
const claim = ['bot_family', 'bot_verification', 'pending_ip'] as const;

/**
 * Rows of bots_per_hour and of the edges, with each claim's standing of today as `verification`.
 * To be used as `FROM (…) AS s`.
 */
export function botSource(
  scope: Scope,
  dimensions: readonly string[],
  metrics: readonly MetricName[],
): Source {
  const source = rollupSource(botsRollup, scope, {
    dimensions: [...new Set([...dimensions, ...claim])],
    metrics,
  });
  const verification = resolvedVerification(
    { verification: 'bot_verification', family: 'bot_family', ip: 'pending_ip' },
    scope,
  );
  return {
    sql: `SELECT *, ${verification.sql} AS verification FROM (${source.sql})`,
    params: { ...source.params, ...verification.params },
  };
}

const botEstimatesRollup: Rollup = {
  hourTable: 'bot_estimates_per_hour',
  filter: 'r.is_bot',
  dimensions: {
    bot_name: 'r.bot_name',
    bot_variant: 'r.bot_variant',
    bot_category: 'r.bot_category',
    country: 'r.country',
  },
  metrics: ['requests', 'client_ips', 'paths'],
};

const count = z.number();

const verificationCounts = {
  verified_requests: count,
  spoofed_requests: count,
  unverifiable_requests: count,
  pending_requests: count,
};

const standing = (verification: string) => merged('requests', `s.verification = '${verification}'`);

const verificationColumns = `
  ${standing('verified')} AS verified_requests,
  ${standing('spoofed')} AS spoofed_requests,
  ${standing('unverifiable')} AS unverifiable_requests,
  ${standing('pending')} AS pending_requests`;

const botTotalsRow = z.object({ requests: count, ...verificationCounts });

export type BotTotals = z.infer<typeof botTotalsRow>;

/** All bot requests by how their claims stand; zeros where there were none. */
export async function readBotTotals(reader: ClickHouseReader, scope: Scope): Promise<BotTotals> {
  const source = botSource(scope, [], ['requests']);
  const [totals] = await reader.read({
    name: 'bots.totals',
    sql: `SELECT ${merged('requests')} AS requests, ${verificationColumns}
FROM (${source.sql}) AS s`,
    params: source.params,
    row: botTotalsRow,
  });
  return totals!;
}

const botRow = z.object({
  bot_name: z.string(),
  bot_variant: z.string(),
  bot_family: z.string(),
  bot_operator: z.string(),
  bot_category: z.string(),
  ai_intent: z.string(),
  requests: count,
  ...verificationCounts,
  bytes_sent: count,
  status_2xx: count,
  status_3xx: count,
  status_4xx: count,
  status_5xx: count,
  timed_requests: count,
  time_taken_ms: count,
  first_seen: z.number(),
  last_seen: z.number(),
});

export interface BotRow extends z.infer<typeof botRow> {
  readonly unique_ips: number;
  readonly unique_paths: number;
}

export interface BotListOptions {
  /** A crawler's variants (smartphone, desktop) as rows of their own; else bot_variant is ''. */
  readonly splitVariants: boolean;
  readonly limit: number;
}

/** Most requests first, then by name. Family, operator, category and intent are those of the latest request. */
export async function listBots(
  reader: ClickHouseReader,
  scope: Scope,
  { splitVariants, limit }: BotListOptions,
): Promise<BotRow[]> {
  const source = botSource(
    scope,
    ['bot_name', 'bot_variant', 'bot_operator', 'bot_category', 'ai_intent', 'status'],
    botsRollup.metrics,
  );
  const latest = (column: string) => `argMax(toString(s.${column}), s.last_seen)`;
  const inClass = (statusClass: 2 | 3 | 4 | 5) => merged('requests', inStatusClass('s.status', statusClass));
  const rows = await reader.read({
    name: 'bots.list',
    sql: `SELECT s.bot_name AS bot_name, ${splitVariants ? 's.bot_variant' : "''"} AS bot_variant,
  ${latest('bot_family')} AS bot_family, ${latest('bot_operator')} AS bot_operator,
  ${latest('bot_category')} AS bot_category, ${latest('ai_intent')} AS ai_intent,
  ${merged('requests')} AS requests, ${verificationColumns},
  ${merged('bytes_sent')} AS bytes_sent,
  ${inClass(2)} AS status_2xx, ${inClass(3)} AS status_3xx, ${inClass(4)} AS status_4xx, ${inClass(5)} AS status_5xx,
  ${merged('timed_requests')} AS timed_requests, ${merged('time_taken_ms')} AS time_taken_ms,
  ${mergedInstant('first_seen')} AS first_seen, ${mergedInstant('last_seen')} AS last_seen
FROM (${source.sql}) AS s
GROUP BY bot_name, bot_variant
ORDER BY requests DESC, bot_name, bot_variant
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: botRow,
  });
  const names = rows.map(({ bot_name }) => bot_name);
  const estimates = names.length === 0 ? [] : await estimateBots(reader, scope, { splitVariants, names });
  const estimateOf = new Map(estimates.map((row) => [`${row.bot_name}\n${row.bot_variant}`, row]));
  return rows.map((row) => {
    const estimate = estimateOf.get(`${row.bot_name}\n${row.bot_variant}`);
    return { ...row, unique_ips: estimate?.unique_ips ?? 0, unique_paths: estimate?.unique_paths ?? 0 };
  });
}

const botEstimateRow = z.object({
  bot_name: z.string(),
  bot_variant: z.string(),
  unique_ips: count,
  unique_paths: count,
});

function estimateBots(
  reader: ClickHouseReader,
  scope: Scope,
  { splitVariants, names }: { splitVariants: boolean; names: readonly string[] },
): Promise<z.infer<typeof botEstimateRow>[]> {
  const source = rollupSource(botEstimatesRollup, scope, {
    dimensions: ['bot_name', 'bot_variant'],
    metrics: ['client_ips', 'paths'],
    where: { sql: 'bot_name IN {names: Array(String)}', params: { names: [...new Set(names)] } },
  });
  return reader.read({
    name: 'bots.estimates',
    sql: `SELECT s.bot_name AS bot_name, ${splitVariants ? 's.bot_variant' : "''"} AS bot_variant,
  ${merged('client_ips')} AS unique_ips, ${merged('paths')} AS unique_paths
FROM (${source.sql}) AS s
GROUP BY bot_name, bot_variant`,
    params: source.params,
    row: botEstimateRow,
  });
}

const botCountRow = z.object({ bot_name: z.string(), bot_variant: z.string(), requests: count });

/** Requests of each bot (and variant) and no more: the previous period beside a list, or a top list. */
export function countBots(
  reader: ClickHouseReader,
  scope: Scope,
  { splitVariants, limit }: BotListOptions,
): Promise<z.infer<typeof botCountRow>[]> {
  const source = rollupSource(botsRollup, scope, {
    dimensions: ['bot_name', 'bot_variant'],
    metrics: ['requests'],
  });
  return reader.read({
    name: 'bots.count',
    sql: `SELECT s.bot_name AS bot_name, ${splitVariants ? 's.bot_variant' : "''"} AS bot_variant,
  ${merged('requests')} AS requests
FROM (${source.sql}) AS s
GROUP BY bot_name, bot_variant
ORDER BY requests DESC, bot_name, bot_variant
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: botCountRow,
  });
}

const categoryRow = z.object({
  bot_category: z.string(),
  bots: count,
  requests: count,
  verified_requests: count,
  spoofed_requests: count,
});

const categoryIpsRow = z.object({ bot_category: z.string(), unique_ips: count });

export interface BotCategoryRow extends z.infer<typeof categoryRow> {
  readonly unique_ips: number;
}

/** Most requests first, then by name. */
export async function listBotCategories(reader: ClickHouseReader, scope: Scope): Promise<BotCategoryRow[]> {
  const source = botSource(scope, ['bot_name', 'bot_category'], ['requests']);
  const estimates = rollupSource(botEstimatesRollup, scope, {
    dimensions: ['bot_category'],
    metrics: ['client_ips'],
  });
  const [rows, ips] = await Promise.all([
    reader.read({
      name: 'bots.categories',
      sql: `SELECT s.bot_category AS bot_category, uniqExact(s.bot_name) AS bots, ${merged('requests')} AS requests,
  ${standing('verified')} AS verified_requests, ${standing('spoofed')} AS spoofed_requests
FROM (${source.sql}) AS s
GROUP BY bot_category
ORDER BY requests DESC, bot_category`,
      params: source.params,
      row: categoryRow,
    }),
    reader.read({
      name: 'bots.category_ips',
      sql: `SELECT s.bot_category AS bot_category, ${merged('client_ips')} AS unique_ips
FROM (${estimates.sql}) AS s
GROUP BY bot_category`,
      params: estimates.params,
      row: categoryIpsRow,
    }),
  ]);
  const uniqueIps = new Map(ips.map(({ bot_category, unique_ips }) => [bot_category, unique_ips]));
  return rows.map((row) => ({ ...row, unique_ips: uniqueIps.get(row.bot_category) ?? 0 }));
}

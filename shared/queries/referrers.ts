import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { merged } from './metrics.js';
import { type Rollup, rollupSource } from './rollup.js';
import type { Scope } from './scope.js';

/** Requests by referring domain and AI assistant. */

const referrersRollup: Rollup = {
  hourTable: 'referrers_per_hour',
  dimensions: {
    referrer_domain: 'r.referrer_domain',
    referrer_class: 'r.referrer_class',
    ai_operator: 'r.ai_operator',
    country: 'r.country',
  },
  metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'client_ips'],
};

const count = z.number();

const referrerRow = z.object({
  referrer_domain: z.string(),
  referrer_class: z.string(),
  ai_operator: z.string(),
  requests: count,
  human_requests: count,
  status_4xx: count,
  status_5xx: count,
  unique_ips: count,
});

export type ReferrerRow = z.infer<typeof referrerRow>;

/**
 * Everything but direct requests, most requests first, then by domain, class and operator. The domain is '' where
 * an assistant named itself in utm_source alone.
 */
export function listReferrers(
  reader: ClickHouseReader,
  scope: Scope,
  { limit }: { limit: number },
): Promise<ReferrerRow[]> {
  const source = rollupSource(referrersRollup, scope, {
    dimensions: ['referrer_domain', 'referrer_class', 'ai_operator'],
    metrics: referrersRollup.metrics,
    where: { sql: "referrer_class != 'direct'", params: {} },
  });
  return reader.read({
    name: 'referrers.list',
    sql: `SELECT s.referrer_domain AS referrer_domain, s.referrer_class AS referrer_class, s.ai_operator AS ai_operator,
  ${merged('requests')} AS requests, ${merged('human_requests')} AS human_requests,
  ${merged('status_4xx')} AS status_4xx, ${merged('status_5xx')} AS status_5xx,
  ${merged('client_ips')} AS unique_ips
FROM (${source.sql}) AS s
GROUP BY referrer_domain, referrer_class, ai_operator
ORDER BY requests DESC, referrer_domain, referrer_class, ai_operator
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: referrerRow,
  });
}

const referrerCountRow = z.object({
  referrer_domain: z.string(),
  referrer_class: z.string(),
  ai_operator: z.string(),
  requests: count,
});

/** Requests from the named domains by domain, class and operator; those without any are absent. */
export function countReferrers(
  reader: ClickHouseReader,
  scope: Scope,
  { domains }: { domains: readonly string[] },
): Promise<z.infer<typeof referrerCountRow>[]> {
  const source = rollupSource(referrersRollup, scope, {
    dimensions: ['referrer_domain', 'referrer_class', 'ai_operator'],
    metrics: ['requests'],
    where: {
      sql: "referrer_class != 'direct' AND referrer_domain IN {domains: Array(String)}",
      params: { domains },
    },
  });
  return reader.read({
    name: 'referrers.count',
    sql: `SELECT s.referrer_domain AS referrer_domain, s.referrer_class AS referrer_class, s.ai_operator AS ai_operator,
  ${merged('requests')} AS requests
FROM (${source.sql}) AS s
GROUP BY referrer_domain, referrer_class, ai_operator
ORDER BY referrer_domain, referrer_class, ai_operator`,
    params: source.params,
    row: referrerCountRow,
  });
}

const classRow = z.object({
  referrer_class: z.string(),
  requests: count,
  human_requests: count,
  unique_ips: count,
});

/** Most requests first, then by name; direct requests are a class. */
export function listReferrerClasses(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<z.infer<typeof classRow>[]> {
  const source = rollupSource(referrersRollup, scope, {
    dimensions: ['referrer_class'],
    metrics: ['requests', 'human_requests', 'client_ips'],
  });
  return reader.read({
    name: 'referrers.classes',
    sql: `SELECT s.referrer_class AS referrer_class, ${merged('requests')} AS requests,
  ${merged('human_requests')} AS human_requests, ${merged('client_ips')} AS unique_ips
FROM (${source.sql}) AS s
GROUP BY referrer_class
ORDER BY requests DESC, referrer_class`,
    params: source.params,
    row: classRow,
  });
}

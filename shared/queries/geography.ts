import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { merged } from './metrics.js';
import { type Rollup, rollupSource } from './rollup.js';
import type { Scope } from './scope.js';

/** Requests by country, region and city of the client's address; '' where it could not be located. */

const locationsRollup: Rollup = {
  hourTable: 'locations_per_hour',
  dimensions: { country: 'r.country', region: 'r.region', city: 'r.city' },
  metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'bytes_sent', 'client_ips'],
};

const locationRow = z.object({
  country: z.string(),
  region: z.string(),
  city: z.string(),
  requests: z.number(),
  human_requests: z.number(),
  status_4xx: z.number(),
  status_5xx: z.number(),
  bytes_sent: z.number(),
  unique_ips: z.number(),
});

export type LocationRow = z.infer<typeof locationRow>;

const keysOf = { country: ['country'], city: ['country', 'region', 'city'] } as const;

/** Most requests first, then by name. By country, region and city are ''. */
export function listLocations(
  reader: ClickHouseReader,
  scope: Scope,
  { by, limit }: { by: keyof typeof keysOf; limit: number },
): Promise<LocationRow[]> {
  const keys: readonly string[] = keysOf[by];
  const source = rollupSource(locationsRollup, scope, {
    dimensions: keys,
    metrics: locationsRollup.metrics,
  });
  const columns = ['country', 'region', 'city'].map(
    (column) => `${keys.includes(column) ? `s.${column}` : "''"} AS ${column}`,
  );
  const sums = (['requests', 'human_requests', 'status_4xx', 'status_5xx', 'bytes_sent'] as const).map(
    (metric) => `${merged(metric)} AS ${metric}`,
  );
  return reader.read({
    name: `geography.by_${by}`,
    sql: `SELECT ${columns.join(', ')}, ${sums.join(', ')}, ${merged('client_ips')} AS unique_ips
FROM (${source.sql}) AS s
GROUP BY country, region, city
ORDER BY requests DESC, country, region, city
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: locationRow,
  });
}

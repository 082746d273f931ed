import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { merged } from './metrics.js';
import { type Rollup, rollupSource } from './rollup.js';
import type { Scope } from './scope.js';

/** Browsers, operating systems and device types of human traffic. */

const devicesRollup: Rollup = {
  hourTable: 'devices_per_hour',
  filter: "r.traffic_class = 'human'",
  dimensions: {
    device_type: 'r.device_type',
    os: 'r.os',
    browser: 'r.browser',
    country: 'r.country',
  },
  metrics: ['requests', 'client_ips'],
};

const deviceRow = z.object({ name: z.string(), requests: z.number(), unique_ips: z.number() });

export type DeviceRow = z.infer<typeof deviceRow>;

/** Most requests first, then by name; '' where the user agent did not tell. */
export function listDevices(
  reader: ClickHouseReader,
  scope: Scope,
  { by, limit }: { by: 'browser' | 'os' | 'device_type'; limit: number },
): Promise<DeviceRow[]> {
  const source = rollupSource(devicesRollup, scope, {
    dimensions: [by],
    metrics: devicesRollup.metrics,
  });
  return reader.read({
    name: `devices.by_${by}`,
    sql: `SELECT s.${by} AS name, ${merged('requests')} AS requests, ${merged('client_ips')} AS unique_ips
FROM (${source.sql}) AS s
GROUP BY name
ORDER BY requests DESC, name
LIMIT {limit: UInt32}`,
    params: { ...source.params, limit },
    row: deviceRow,
  });
}

const totalsRow = z.object({ requests: z.number(), unique_ips: z.number() });

/** All human traffic. */
export async function readDeviceTotals(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<z.infer<typeof totalsRow>> {
  const source = rollupSource(devicesRollup, scope, { dimensions: [], metrics: devicesRollup.metrics });
  const [totals] = await reader.read({
    name: 'devices.totals',
    sql: `SELECT ${merged('requests')} AS requests, ${merged('client_ips')} AS unique_ips
FROM (${source.sql}) AS s`,
    params: source.params,
    row: totalsRow,
  });
  return totals!;
}

import { z } from 'zod';
import { severities, subjectOf } from '../../alerts/alert.js';
import type { ClickHouseReader } from '../../store/client.js';
import { normaliseClientIp } from '../sql/client-ip.js';
import type { Scope } from '../sql/scope.js';

/** Alerts that name client addresses: in their subject, or in the evidence if one alert covers several addresses. */

const types = ['hacking_probe', 'scraper', 'fake_crawler'] as const;
export type AddressAlertType = (typeof types)[number];

/** Newest first; one alert covers few addresses. */
const MOST_ALERTS = 1_000;

const alertRow = z.object({
  type: z.enum(types),
  severity: z.enum(severities),
  fingerprint: z.string(),
  details: z.string(),
  last_seen_ms: z.number(),
});

/** The alerts of a window about one address. */
export interface AlertedAddress {
  readonly types: readonly AddressAlertType[];
  readonly isCritical: boolean;
  /** Time of the newest alert, in milliseconds since the epoch. */
  readonly lastSeen: number;
  /** Paths in the newest alert, if it has any. */
  readonly samplePaths: readonly string[];
}

/** By address, newest alert first. @throws as ClickHouseReader.read */
export async function readAlertedAddresses(
  reader: ClickHouseReader,
  { websiteId, window }: Scope,
): Promise<Map<string, AlertedAddress>> {
  const rows = await reader.read({
    name: 'alerts.addresses',
    // Small columns decide which alerts match, so that the evidence of the others is not read.
    sql: `SELECT argMax(toString(a.alert_type), a.last_seen) AS type, argMax(toString(a.severity), a.last_seen) AS severity,
  argMax(a.fingerprint, a.last_seen) AS fingerprint, argMax(a.details, a.last_seen) AS details,
  toUnixTimestamp64Milli(max(a.last_seen)) AS last_seen_ms
FROM alerts AS a
WHERE a.website_id = {website_id: String} AND a.last_seen >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND a.alert_id IN (
  SELECT alert_id FROM alerts
  WHERE website_id = {website_id: String} AND alert_type IN {types: Array(String)}
    AND last_seen >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND created_at < fromUnixTimestamp64Milli({end: Int64}, 'UTC')
  GROUP BY alert_id
  ORDER BY max(last_seen) DESC, alert_id
  LIMIT ${MOST_ALERTS}
)
GROUP BY a.alert_id
ORDER BY last_seen_ms DESC, a.alert_id`,
    params: { website_id: websiteId, types: [...types], start: window.start, end: window.end },
    row: alertRow,
  });
  const found = new Map<string, AlertedAddress>();
  for (const row of rows) {
    const { type, severity, details, last_seen_ms } = row;
    const evidence = readEvidence(details);
    for (const address of addressesOf(subjectOf(row), evidence)) {
      const earlier = found.get(address);
      found.set(address, {
        types: [...new Set([...(earlier?.types ?? []), type])],
        isCritical: earlier?.isCritical === true || severity === 'critical',
        lastSeen: earlier?.lastSeen ?? last_seen_ms,
        samplePaths: earlier?.samplePaths ?? evidence.sample_paths,
      });
    }
  }
  return found;
}

const evidence = z.object({
  addresses: z.array(z.object({ ip: z.string() })).catch([]),
  sample_paths: z.array(z.string()).catch([]),
});
type Evidence = z.infer<typeof evidence>;

/** Details that are not evidence of the detector name no address. */
function readEvidence(details: string): Evidence {
  const none = { addresses: [], sample_paths: [] };
  try {
    return evidence.catch(none).parse(JSON.parse(details));
  } catch {
    return none;
  }
}

function addressesOf(subject: string, { addresses }: Evidence): string[] {
  return [subject, ...addresses.map(({ ip }) => ip)].flatMap((text) => normaliseClientIp(text) ?? []);
}

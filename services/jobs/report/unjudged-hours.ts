import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { readHealthHours } from '../../../shared/reads/health/health-sql.js';
import type { traffic } from '../../../shared/reads/traffic/traffic.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';

/** Points of health are stored for 31 days. Earlier hours are unknown. */
const KEPT_MS = 30 * DAY_MS;

interface Asked {
  readonly websiteId: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

/**
 * The number of hours of the period with requests that the detector has not evaluated. They may have problems without an alert.
 * @throws as `ClickHouseReader.read`
 */
export async function readUnjudgedHours(
  reader: ClickHouseReader,
  { websiteId, askedAt }: Asked,
  hourly: Awaited<ReturnType<typeof traffic.read>>['hourly'],
): Promise<number> {
  const kept = Math.ceil((askedAt - KEPT_MS) / HOUR_MS) * HOUR_MS;
  const hours = hourly
    .filter(({ requests }) => requests > 0)
    .map(({ time }) => Date.parse(time as string))
    .filter((time) => time >= kept);
  const [start] = hours;
  if (start === undefined) return 0;
  const judged = await readHealthHours(reader, { websiteId, metric: 'traffic', start });
  const times = new Set(judged.map(({ time }) => time));
  return hours.filter((time) => !times.has(time)).length;
}

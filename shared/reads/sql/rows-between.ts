import { HOUR_MS } from '../../durations.js';
import type { RestsOn } from '../../store/client.js';

/**
 * For a statement that reads rows of `requests` or its rollups in this time alone. The times are milliseconds since the epoch.
 * @param end excluded
 */
export function rowsBetween(websiteId: string, start: number, end: number): RestsOn {
  const first = Math.floor(start / HOUR_MS);
  const length = Math.max(0, Math.ceil(end / HOUR_MS) - first);
  return { websiteId, hours: Array.from({ length }, (_, hour) => first + hour) };
}

import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { ClientCounts } from '../counts/span-counts.js';

/** A few probes a day come to every website and harm nobody: an alert wants a scanner at work. */
const LEAST_PROBES = 15;
const LEAST_PATHS = 3;

/** Whether an address looks for holes. Never a verified crawler, whatever it is sent to fetch. */
export function isProbing(client: ClientCounts, minutes: number): boolean {
  const hours = Math.max(1, (minutes * MINUTE_MS) / HOUR_MS);
  return (
    client.verification !== 'verified' && client.probes >= LEAST_PROBES * hours && client.paths >= LEAST_PATHS
  );
}

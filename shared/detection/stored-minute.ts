import { listedFailures } from './bot-failures.js';
import type { MinuteSignal } from './signal.js';

/**
 * Counts that were saved, maybe by a release that did not count a client's errors of the server: then it met none; or what bots met: then their list
 * tells it. Pure.
 */
export function storedMinute(counts: MinuteSignal): MinuteSignal {
  const told = counts.bots5xx === undefined ? { ...counts, ...listedFailures(counts.byBot) } : counts;
  if (told.byClient.every(({ status5xx }) => status5xx !== undefined)) return told;
  return {
    ...told,
    byClient: told.byClient.map((client) => ({ ...client, status5xx: client.status5xx ?? 0 })),
  };
}

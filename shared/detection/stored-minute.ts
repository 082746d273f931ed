import type { MinuteSignal } from './signal.js';

/** Counts that were saved, maybe by a release that did not count a client's errors of the server: then it met none. Pure. */
export function storedMinute(counts: MinuteSignal): MinuteSignal {
  if (counts.byClient.every(({ status5xx }) => status5xx !== undefined)) return counts;
  return {
    ...counts,
    byClient: counts.byClient.map((client) => ({ ...client, status5xx: client.status5xx ?? 0 })),
  };
}

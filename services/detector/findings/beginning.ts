import type { Alert } from '../../../shared/alerts/alert.js';
import { BEGAN_AFTER, FIRST_REQUEST_AT, LAST_REQUEST_AT } from '../../../shared/alerts/alert.js';
import type { RequestTimes } from '../counts/span-counts.js';

/**
 * An alert's `created_at` and `last_seen` are ends of windows. Its details have the times that the requests show: its
 * beginning is after `began_after`, and `first_request_at` and `last_request_at` are its first and last request.
 */

/** @param since milliseconds since the epoch */
export function beginningOf(since: number, { first, last }: RequestTimes): Alert['details'] {
  return {
    [BEGAN_AFTER]: new Date(since).toISOString(),
    ...(first > 0 && {
      [FIRST_REQUEST_AT]: new Date(first).toISOString(),
      [LAST_REQUEST_AT]: new Date(last).toISOString(),
    }),
  };
}

/** The times of an open alert with a repeat: the beginning of the alert, and the end of the repeat. */
export function continued(known: Alert['details'], repeat: Alert['details']): Alert['details'] {
  const times = [BEGAN_AFTER, FIRST_REQUEST_AT] as const;
  const kept = times.filter((name) => known[name] !== undefined);
  const last = repeat[LAST_REQUEST_AT] ?? known[LAST_REQUEST_AT];
  return {
    ...Object.fromEntries(kept.map((name) => [name, known[name]])),
    ...(last !== undefined && { [LAST_REQUEST_AT]: last }),
  };
}

/** Details without these times. */
export function withoutTimes(details: Alert['details']): Alert['details'] {
  const { [BEGAN_AFTER]: _, [FIRST_REQUEST_AT]: first, [LAST_REQUEST_AT]: last, ...others } = details;
  return others;
}

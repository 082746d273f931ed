import { z } from '@hono/zod-openapi';

/** How figures look in every answer of this folder: shares and changes in percent with two digits, unknown is null. */

export const requestCount = z.int().openapi({ description: 'Requests.' });

export function count(description: string) {
  return z.int().openapi({ description });
}

/** The estimate's error is the engine's: uniqCombined64 with 2^14 registers. */
export const uniqueIps = count(
  'Distinct client addresses; exact while few, an estimate with a standard error of 0.81 % for many.',
);
export const uniquePaths = count(
  'Distinct paths without their query strings; exact while few, an estimate with a standard error of 0.81 % for many.',
);

export const sharePct = z.number().openapi({ description: 'Percent of all requests of the window.' });

export const deltaPct = z.number().nullable().openapi({
  description: 'Change in percent against the previous window of the same length; null where that had none.',
});

export const previousRequests = count('Requests in the previous window of the same length.');

export const avgTimeMs = z.number().nullable().openapi({
  description:
    'Mean time that the server took, in milliseconds, over requests whose source tells it; null where none does.',
});

export const bytesSent = count('Bytes of the responses, as the source counts them.');

export const statusClassCounts = {
  status_2xx: requestCount,
  status_3xx: requestCount,
  status_4xx: requestCount,
  status_5xx: requestCount,
};

export function toStatusClassCounts({
  status_2xx,
  status_3xx,
  status_4xx,
  status_5xx,
}: Record<keyof typeof statusClassCounts, number>) {
  return { status_2xx, status_3xx, status_4xx, status_5xx };
}

/** Percent of the whole; 0 of nothing. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : twoDigits((100 * part) / whole);
}

/** Change in percent; null where there is nothing to compare with. */
export function changePct(current: number | null, previous: number | null): number | null {
  if (current === null || previous === null || previous === 0) return null;
  return twoDigits((100 * (current - previous)) / previous);
}

/** Mean of the timed requests in milliseconds; null where none was timed. */
export function averageTimeMs(row: { time_taken_ms: number; timed_requests: number }): number | null {
  return row.timed_requests === 0 ? null : twoDigits(row.time_taken_ms / row.timed_requests);
}

export function twoDigits(value: number): number {
  return Math.round(value * 100) / 100;
}

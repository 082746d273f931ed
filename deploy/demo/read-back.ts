import type { ApiAccess } from '../import/instance.js';
import type { TimeSpan } from './traffic/calendar.js';

/** URL of a read of the website. @param path below the website's path in the API */
export function readUrl({ baseUrl, websiteId }: ApiAccess, path: string): string {
  return `${baseUrl}/public/v1/websites/${websiteId}${path}`;
}

/**
 * Number of requests of this span in the API's summary; null if the read fails. The end is a second later than the
 * span's, since log formats round times.
 */
export async function countVisible(
  api: ApiAccess,
  span: TimeSpan,
  get: typeof fetch,
): Promise<number | null> {
  const iso = (at: number) => new Date(at).toISOString();
  const url = readUrl(api, `/summary?start=${iso(span.start - 1_000)}&end=${iso(span.end + 1_000)}`);
  try {
    const response = await get(url, { headers: { authorization: `Bearer ${api.apiKey}` } });
    const answer = (await response.json()) as { total_requests?: unknown };
    return response.status === 200 && typeof answer.total_requests === 'number'
      ? answer.total_requests
      : null;
  } catch {
    return null;
  }
}

export interface WaitOptions {
  fetch: typeof fetch;
  sleep: (ms: number) => Promise<unknown>;
  now: () => number;
  timeoutMs: number;
}

const POLL_MS = 500;

/** Waits until the summary counts `expected` requests. @returns whether it did before the timeout. */
export async function waitUntilVisible(
  api: ApiAccess,
  span: TimeSpan,
  expected: number,
  { fetch: get, sleep, now, timeoutMs }: WaitOptions,
): Promise<boolean> {
  const deadline = now() + timeoutMs;
  for (;;) {
    const visible = await countVisible(api, span, get);
    if (visible !== null && visible >= expected) return true;
    if (now() >= deadline) return false;
    await sleep(POLL_MS);
  }
}

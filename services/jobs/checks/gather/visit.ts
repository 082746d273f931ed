import { SECOND_MS } from '../../../../shared/durations.js';
import { pause } from '../../../../shared/pacing/pause.js';
import { type Absent, absent } from '../facts/check.js';
import type { Retrieval } from '../facts/facts.js';
import { type RetrieveDeps, retrieve } from './retrieve.js';

/** The limits of one pass of light fetches over a website. */
export const visitBounds = {
  requests: 20,
  /** For a page, inflated. */
  pageBytes: 2 * 1024 ** 2,
  /** For any other response. */
  fileBytes: 256 * 1024,
  timeoutMs: 15 * SECOND_MS,
  /** For all requests. */
  totalMs: 120 * SECOND_MS,
  /** Between the end of one request and the start of the next. */
  pauseMs: 500,
} as const;
export type VisitBounds = { readonly [Name in keyof typeof visitBounds]: number };

export interface Visit {
  /** Waits for the previous requests. Absent after the limits are reached. @throws the signal's reason */
  fetch(
    url: string,
    also?: { readonly isPage?: boolean; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Retrieval | Absent>;
}

/** One pass: sequential requests with pauses, limited in number and time. */
export function beginVisit(deps: RetrieveDeps, bounds: VisitBounds = visitBounds): Visit {
  const until = deps.now() + bounds.totalMs;
  let asked = 0;
  return {
    async fetch(url, { isPage = false, headers } = {}) {
      if (asked > 0) await pause(bounds.pauseMs, deps.signal);
      deps.signal.throwIfAborted();
      const leftMs = until - deps.now();
      if (asked >= bounds.requests || leftMs <= 0)
        return absent('Not requested: the time limit for this website was reached.', 'not_checked', {
          requested_url: url,
        });
      asked += 1;
      const maxBytes = isPage ? bounds.pageBytes : bounds.fileBytes;
      return retrieve(url, { maxBytes, timeoutMs: Math.min(bounds.timeoutMs, leftMs), headers }, deps);
    },
  };
}

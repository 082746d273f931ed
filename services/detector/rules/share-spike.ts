import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import { chanceOfShare } from './chance.js';
import { percent, span } from './figures.js';
import type { Remainder } from './remainder.js';
import type { Finding, WebsiteView, WindowView } from './rule.js';
import { refusedOf } from './shown.js';

/** What a share may rise to by nothing that an alert is for: so many times the usual and so much. */
const ALLOWED = { times: 1.6, more: 0.01 } as const;
/** Of one window: two of three have to be so unlikely. */
const UNLIKELY = 1e-4;

export interface ShareSpike {
  readonly part: keyof Remainder & ('errors' | 'notFound' | 'status5xx');
  readonly usual: number;
  readonly leastCount: number;
  readonly leastShare: number;
  /** 'requests ended with an error of the server' */
  readonly what: string;
  readonly severity: Finding['severity'];
  /** Statuses whose paths are the evidence. */
  readonly isEvidence: (status: number) => boolean;
}

/**
 * A share of the requests that is far above the usual, beyond chance. By the counts, so that it holds for ten requests, too. Where
 * the window has too few, the shortest stretch of the hour up to its end that tells.
 */
export function findShareSpike(
  window: WindowView,
  { hour, countsSince }: WebsiteView,
  { part, usual, leastCount, leastShare, what, severity, isEvidence }: ShareSpike,
): readonly Finding[] {
  // What is over is no finding.
  if (window.remainder[part] < leastShare * window.remainder.requests) return [];
  const allowed = Math.min(0.9, ALLOWED.times * usual + ALLOWED.more);
  const telling = hour.stretches.find(({ remainder }) => {
    const count = remainder[part];
    if (count < leastCount || count < leastShare * remainder.requests) return false;
    return chanceOfShare(count, remainder.requests, allowed) < UNLIKELY;
  });
  if (telling === undefined) return [];
  const { start, remainder } = telling;
  const count = remainder[part];
  const share = count / remainder.requests;
  const counts = countsSince(start);
  return [
    {
      subject: '',
      severity,
      message: `${percent(share)} % of the requests in ${span(window.end - start)} ${what} (${count} of ${remainder.requests}), usual are ${percent(usual)} %.`,
      details: {
        current_value: count,
        requests: remainder.requests,
        current_share_pct: percent(share),
        baseline_share_pct: percent(usual),
        window_minutes: (window.end - start) / MINUTE_MS,
        not_found: counts.notFound,
        rejected: counts.rejected,
        status_4xx: counts.status4xx,
        status_5xx: counts.status5xx,
        paths: failing(counts, isEvidence),
        ...(part === 'errors' && counts.rejected > 0 && { refused: refusedOf(counts) }),
      },
    },
  ];
}

function failing({ failingPaths }: MinuteSignal, isEvidence: (status: number) => boolean) {
  return failingPaths.filter(({ status }) => isEvidence(status)).slice(0, 5);
}

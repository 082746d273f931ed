import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import { chanceOfShare, RARE } from './chance.js';
import { percent, span } from './figures.js';
import type { Remainder } from './remainder.js';
import type { Finding, WebsiteView, WindowView } from './rule.js';

/** Where the window has fewer requests, the hour up to its end is judged. */
const ENOUGH_REQUESTS = 60;
/** What a share may rise to by nothing that an alert is for: twice the usual and so much. */
const ALLOWED = { times: 2, more: 0.01 } as const;

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

/** A share of the requests that is far above twice the usual, beyond chance. By the counts, so that it holds for ten requests, too. */
export function findShareSpike(
  window: WindowView,
  website: WebsiteView,
  { part, usual, leastCount, leastShare, what, severity, isEvidence }: ShareSpike,
): readonly Finding[] {
  const usesHour = window.remainder.requests < ENOUGH_REQUESTS;
  const { start, remainder } = usesHour ? website.hour : window;
  const count = remainder[part];
  const share = count / Math.max(1, remainder.requests);
  // Of an hour that has passed: it must still go on.
  if (window.remainder[part] === 0 || count < leastCount || share < leastShare) return [];
  const allowed = Math.min(0.9, ALLOWED.times * usual + ALLOWED.more);
  if (chanceOfShare(count, remainder.requests, allowed) > RARE) return [];
  const minutes = (window.end - start) / MINUTE_MS;
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
        window_minutes: minutes,
        not_found: window.counts.notFound,
        rejected: window.counts.rejected,
        status_4xx: window.counts.status4xx,
        status_5xx: window.counts.status5xx,
        paths: failing(window.counts, isEvidence),
      },
    },
  ];
}

function failing({ failingPaths }: MinuteSignal, isEvidence: (status: number) => boolean) {
  return failingPaths.filter(({ status }) => isEvidence(status)).slice(0, 5);
}

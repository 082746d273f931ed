import { MINUTE_MS } from '../../../shared/durations.js';
import type { Failures, Remainder } from '../counts/remainder.js';
import {
  type ClientCounts,
  earliestAndLatest,
  failureKinds,
  type RequestTimes,
  type SpanCounts,
} from '../counts/span-counts.js';
import { chanceOfShare } from './chance.js';
import { failedAddresses, refusedOf } from './failed.js';
import { percent, span } from './figures.js';
import type { Finding, WebsiteView, WindowView } from './rule.js';

/** The share that raises no alert: a multiple of the usual share, plus one point. */
const ALLOWED = { times: 1.6, more: 0.01 } as const;
/**
 * Probability of one window beyond the allowed share. Two of three such windows make about one in a million.
 */
const UNLIKELY = 1e-3;
/** Probability of several windows together. They need no second finding, so the bound is lower. */
const UNLIKELY_TOGETHER = 1e-4;
/**
 * Factor of the least share from which failures lasted before the newest window: a window of few requests can be
 * below the least share by chance. The newest window has no such tolerance, because its failures may have ended.
 */
const LASTED_BEFORE = 0.5;

export interface ShareSpike {
  readonly part: keyof Failures;
  readonly leastCount: number;
  readonly leastShare: number;
  /** 'ended with an error of the server' */
  readonly what: string;
  readonly severity: Finding['severity'];
  /** Statuses whose paths are evidence. */
  readonly isEvidence: (status: number) => boolean;
}

/** Failures in a time span up to the window's end, in all requests or in those of people. */
interface Share {
  readonly of: 'requests' | 'people';
  readonly start: number;
  readonly trials: number;
  readonly count: number;
  readonly usual: number;
}

/**
 * A share of failures far above the usual and beyond chance, in all requests or in those of people.
 *
 * Probabilities are computed from the counts, so they are right even for ten requests. If the window has too
 * few requests, the rule takes the shortest significant stretch of the hour up to the window's end. A less
 * likely stretch in which failures lasted does not wait for another window.
 */
export function findShareSpike(
  window: WindowView,
  { stretches, memory }: WebsiteView,
  spike: ShareSpike,
): readonly Finding[] {
  const { part, leastShare, what, severity } = spike;
  const shares = (['requests', 'people'] as const).flatMap((of) => {
    const newest = shareIn(of, part, window, memory.shares[of][part]);
    // A window without requests shows neither that failures continue nor that they have ended.
    if (newest.trials === 0) return [];
    // Failures that have ended are no finding.
    const goesOn = newest.count >= leastShare * newest.trials;
    const startOfPrevious = 2 * window.start - window.end;
    return stretches
      .map((stretch) => shareIn(of, part, stretch, memory.shares[of][part]))
      .filter((share) => isTelling(share, spike, UNLIKELY))
      .map((share) => ({ ...share, isSure: isLasting(share, newest, spike) }))
      .filter(({ isSure, start }) => goesOn || (isSure && start >= startOfPrevious));
  });
  const telling = shares.find(({ isSure }) => isSure) ?? shares[0];
  if (telling === undefined) return [];
  const { of, start, trials, count, usual, isSure } = telling;
  const whose = of === 'people' ? 'the requests of people' : 'the requests';
  return [
    {
      subject: '',
      severity,
      isSure,
      message: `${percent(count / trials)} % of ${whose} in ${span(window.end - start)} ${what} (${count} of ${trials}), usual are ${percent(usual)} %.`,
      details: {
        of,
        current_value: count,
        requests: trials,
        current_share_pct: percent(count / trials),
        baseline_share_pct: percent(usual),
        window_minutes: (window.end - start) / MINUTE_MS,
      },
      since: start,
      times: { lists: 'none', in: (counts) => failedAt(counts, part) },
      evidence: { since: start, show: (counts) => failuresIn(counts, spike, count) },
    },
  ];
}

const failuresBy =
  (part: keyof Failures) =>
  ({ notFound, rejected, status5xx }: ClientCounts): number =>
    ({ notFound, status5xx, errors: notFound + rejected + status5xx })[part];

function failedAt({ failedAt: at }: SpanCounts, part: keyof Failures): RequestTimes {
  return part === 'errors' ? earliestAndLatest(failureKinds.map((kind) => at[kind])) : at[part];
}

/** @param errors number of errors in the finding */
function failuresIn(counts: SpanCounts, spike: ShareSpike, errors: number) {
  const { notFound, rejected, status4xx, status5xx } = counts;
  const ofErrors = spike.part === 'errors';
  return {
    sentence: ofErrors ? mostRefused(counts, errors) : '',
    details: {
      ...{ not_found: notFound, rejected, status_4xx: status4xx, status_5xx: status5xx },
      paths: failing(counts, spike),
      addresses: failedAddresses(counts, failuresBy(spike.part)),
      ...(ofErrors && rejected > 0 && { refused: refusedOf(counts) }),
    },
  };
}

/** Names an address with at least half of the errors, all refusals: it guesses passwords. Else ''. */
function mostRefused({ byClient }: SpanCounts, errors: number): string {
  const [most] = byClient.filter(({ botName }) => botName === '').toSorted((a, b) => b.rejected - a.rejected);
  if (most === undefined || 2 * most.rejected < errors) return '';
  const { ip, asName, rejected } = most;
  return ` ${rejected} refusals (401, 402, 403, 429, 451) are of one address, ${asName === '' ? ip : `${ip} (${asName})`}.`;
}

function shareIn(
  of: Share['of'],
  part: keyof Failures,
  { start, remainder }: { readonly start: number; readonly remainder: Remainder },
  usual: number,
): Share {
  const count = of === 'people' ? remainder.ofPeople[part] : remainder[part];
  return { of, start, trials: remainder[of], count, usual };
}

function isTelling(
  { trials, count, usual }: Share,
  { leastCount, leastShare }: ShareSpike,
  unlikely: number,
): boolean {
  if (count < leastCount || count < leastShare * trials) return false;
  return chanceOfShare(count, trials, Math.min(0.9, ALLOWED.times * usual + ALLOWED.more)) < unlikely;
}

function isLasting(share: Share, newest: Share, spike: ShareSpike): boolean {
  const trialsBefore = share.trials - newest.trials;
  if (trialsBefore <= 0 || share.count - newest.count < LASTED_BEFORE * spike.leastShare * trialsBefore)
    return false;
  return isTelling(share, spike, UNLIKELY_TOGETHER);
}

/**
 * Paths that scanners probe come last. For all errors the order is by requests, since passwords are also
 * guessed on probed pages.
 */
function failing({ paths }: SpanCounts, { part, isEvidence }: ShareSpike) {
  const failed = paths.filter(({ status }) => isEvidence(status));
  return (part === 'errors' ? failed.toSorted((a, b) => b.requests - a.requests) : failed).slice(0, 5);
}

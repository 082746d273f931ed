import { HOUR_MS } from '../../../shared/durations.js';
import { clamp } from '../baselines/robust.js';

/**
 * The ratio of recent to expected traffic, from sums that decay. On a holiday with three quarters
 * of the usual traffic, the quietest half hour is compared with the holiday's level. Plain JSON.
 */
export interface Lately {
  /** When the sums were last brought up to date, milliseconds since the epoch. */
  at: number;
  readonly requests: Sums;
  readonly people: Sums;
}

interface Sums {
  brought: number;
  expected: number;
}

/** The actual and the expected requests of an interval. */
export interface Outcome {
  readonly start: number;
  readonly requests: number;
  readonly people: number;
  readonly expected: { readonly requests: number; readonly people: number };
}

/** Longer than one bad hour, shorter than a night. */
const HALF_LIFE_MS = 2 * HOUR_MS;
/** Requests added to both sides of the ratio, so that few or old requests give a ratio near 1. */
const PRIOR = 30;
/** Bound of the ratio, so that it cannot hide a larger change. */
const FARTHEST = 1.6;

export function newLately(): Lately {
  return { at: 0, requests: { brought: 0, expected: 0 }, people: { brought: 0, expected: 0 } };
}

/** Adds an interval. Mutates. */
export function noteLately(lately: Lately, { start, expected, ...brought }: Outcome): void {
  const kept = keptOf(lately, start);
  for (const of of ['requests', 'people'] as const) {
    lately[of].brought = lately[of].brought * kept + brought[of];
    lately[of].expected = lately[of].expected * kept + expected[of];
  }
  lately.at = Math.max(lately.at, start);
}

/** Actual over expected requests; 1 if nothing is known. */
export function latelyOf(lately: Lately, now: number): Record<'requests' | 'people', number> {
  const kept = keptOf(lately, now);
  const ratio = ({ brought, expected }: Sums) =>
    clamp((brought * kept + PRIOR) / (expected * kept + PRIOR), 1 / FARTHEST, FARTHEST);
  return { requests: ratio(lately.requests), people: ratio(lately.people) };
}

function keptOf({ at }: Lately, now: number): number {
  return 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
}

import { HOUR_MS } from '../../../shared/durations.js';
import { clamp } from '../baselines/robust.js';

/**
 * How the last hours compare to what was expected of them: a holiday brings three quarters of a usual day, and its quietest half hour must
 * not be held against a usual one. Sums that forget. Plain JSON.
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

/** What an interval brought and what was expected of it. */
export interface Outcome {
  readonly start: number;
  readonly requests: number;
  readonly people: number;
  readonly expected: { readonly requests: number; readonly people: number };
}

/** Longer than one bad hour, shorter than a night. */
const HALF_LIFE_MS = 2 * HOUR_MS;
/** So many requests as expected are thrown in: of a few nothing is concluded, nor of what is long ago. */
const PRIOR = 30;
/** Nothing is so usual that it hides more than that. */
const FARTHEST = 1.6;

export function newLately(): Lately {
  return { at: 0, requests: { brought: 0, expected: 0 }, people: { brought: 0, expected: 0 } };
}

/** Takes in an interval. Mutates. */
export function noteLately(lately: Lately, { start, expected, ...brought }: Outcome): void {
  const kept = keptOf(lately, start);
  for (const of of ['requests', 'people'] as const) {
    lately[of].brought = lately[of].brought * kept + brought[of];
    lately[of].expected = lately[of].expected * kept + expected[of];
  }
  lately.at = Math.max(lately.at, start);
}

/** Over what was expected: 1 where nothing is known. */
export function latelyOf(lately: Lately, now: number): Record<'requests' | 'people', number> {
  const kept = keptOf(lately, now);
  const ratio = ({ brought, expected }: Sums) =>
    clamp((brought * kept + PRIOR) / (expected * kept + PRIOR), 1 / FARTHEST, FARTHEST);
  return { requests: ratio(lately.requests), people: ratio(lately.people) };
}

function keptOf({ at }: Lately, now: number): number {
  return 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
}

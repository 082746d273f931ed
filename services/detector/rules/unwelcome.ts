import { INTERVAL_MINUTES } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { NamedRequests } from './by-name.js';
import { chanceOfCount, RARE } from './chance.js';
import type { WebsiteView, WindowView } from './rule.js';

/** A few such requests come to every website. */
const LEAST_AN_HOUR = 20;
const TIMES_USUAL = 4;

export interface Unwelcome {
  readonly of: NamedRequests;
  /** Usual requests of the name in a window. */
  readonly usual: number;
}

/** Impostors of crawlers, or undeclared agents of operators, with far more requests than usual here. */
export function moreThanUsual(
  kind: 'spoofed' | 'undeclared',
  named: readonly NamedRequests[],
  { start, end }: WindowView,
  { memory }: WebsiteView,
): readonly Unwelcome[] {
  const intervals = (end - start) / (INTERVAL_MINUTES * MINUTE_MS);
  const least = LEAST_AN_HOUR * Math.max(1, (end - start) / HOUR_MS);
  return named
    .map((of) => ({ of, usual: memory.usualRate(kind, of.name) * intervals }))
    .filter(
      ({ of: { requests }, usual }) =>
        requests >= least && chanceOfCount(requests, TIMES_USUAL * usual) < RARE,
    );
}

import { INTERVAL_MINUTES } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { chanceOfCount, RARE } from './chance.js';
import type { WebsiteView, WindowView } from './rule.js';

/** A few of them come to every website. */
const LEAST_AN_HOUR = 20;
const TIMES_USUAL = 4;

/** Whether impostors of a crawler, or undeclared agents of an operator, are far more than this website usually has. */
export function isMoreThanUsual(
  kind: 'spoofed' | 'undeclared',
  name: string,
  requests: number,
  { start, end }: WindowView,
  { memory }: WebsiteView,
): { isMore: boolean; usual: number } {
  const intervals = (end - start) / (INTERVAL_MINUTES * MINUTE_MS);
  const usual = memory.usualRate(kind, name) * intervals;
  const least = LEAST_AN_HOUR * Math.max(1, (end - start) / HOUR_MS);
  const isMore = requests >= least && chanceOfCount(requests, TIMES_USUAL * usual) < RARE;
  return { isMore, usual };
}

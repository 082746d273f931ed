import type { DueInterval } from '../../../services/detector/arrivals/due-interval.js';
import type { AskedSpan } from '../../../services/detector/counts/asked-span.js';
import { emptyCounts, type SpanCounts } from '../../../services/detector/counts/span-counts.js';
import type { Circumstances } from '../../../services/detector/evaluation/circumstances.js';
import { type Evaluation, evaluateInterval } from '../../../services/detector/evaluation/evaluate-website.js';
import type { WebsiteState } from '../../../services/detector/evaluation/website-state.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { foldCounts } from './fold-counts.js';

/** Closes an interval of a website with counts from a function. */
export function closeWith(
  state: WebsiteState,
  due: DueInterval,
  given: Circumstances,
  countsOf: (span: AskedSpan) => SpanCounts,
): Evaluation {
  const evaluating = evaluateInterval(state, due, given);
  for (let step = evaluating.next(); ; ) {
    if (step.done) return step.value;
    step = evaluating.next(countsOf(step.value));
  }
}

/**
 * Counts of intervals by start, from which spans are summed. Old intervals are dropped: the longest default
 * window is an hour.
 * @param before counts of intervals that were not added
 */
export function createCountedIntervals(before: (start: number) => SpanCounts = emptyCounts, kept = 24) {
  const intervals = new Map<number, SpanCounts>();
  return {
    add(counts: SpanCounts): void {
      intervals.set(counts.start, counts);
      for (const start of intervals.keys()) {
        if (intervals.size <= kept) break;
        intervals.delete(start);
      }
    },
    countsOf({ start, end }: AskedSpan): SpanCounts {
      let folded = intervals.get(start) ?? before(start);
      for (let at = start + INTERVAL_MS; at < end; at += INTERVAL_MS)
        folded = foldCounts(folded, intervals.get(at) ?? before(at));
      return folded;
    },
  };
}

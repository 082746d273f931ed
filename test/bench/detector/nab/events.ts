import type { Series } from './corpus.js';
import { probationOf } from './score.js';

/** Precision and recall by events, which an operator sees, instead of NAB's points. */

/** False points with at most this many samples between them are one false alarm. */
const SAME_EVENT = 12;

export interface Events {
  readonly windows: number;
  readonly found: number;
  readonly falseAlarms: number;
  /** Found windows over found windows and false alarms; 1 if nothing was reported. */
  readonly precision: number;
  readonly recall: number;
}

export function countEvents(
  corpus: readonly Series[],
  scores: readonly (readonly number[])[],
  threshold: number,
): Events {
  let windows = 0;
  let found = 0;
  let falseAlarms = 0;
  corpus.forEach((series, index) => {
    const detected = series.windows.map(() => false);
    let lastFalse = Number.NEGATIVE_INFINITY;
    for (let place = Math.ceil(probationOf(series.values.length)); place < series.values.length; place += 1) {
      if (scores[index]![place]! < threshold) continue;
      const window = series.windows.findIndex(([first, last]) => place >= first && place <= last);
      if (window >= 0) detected[window] = true;
      else {
        if (place - lastFalse > SAME_EVENT) falseAlarms += 1;
        lastFalse = place;
      }
    }
    windows += detected.length;
    found += detected.filter(Boolean).length;
  });
  return {
    windows,
    found,
    falseAlarms,
    precision: found + falseAlarms > 0 ? found / (found + falseAlarms) : 1,
    recall: windows > 0 ? found / windows : 1,
  };
}

/** The result with the best precision among thresholds that reach the recall; undefined if none does. */
export function mostPrecise(
  corpus: readonly Series[],
  scores: readonly (readonly number[])[],
  recall: number,
): Events | undefined {
  let best: Events | undefined;
  for (const threshold of candidates(corpus, scores)) {
    const events = countEvents(corpus, scores, threshold);
    if (events.recall >= recall && (best === undefined || events.precision > best.precision)) best = events;
  }
  return best;
}

/** The highest score of each window: recall changes only at these, and precision is best there. */
function candidates(corpus: readonly Series[], scores: readonly (readonly number[])[]): number[] {
  const all = corpus.flatMap(({ windows }, index) =>
    windows.map(([first, last]) => scores[index]!.slice(first, last + 1).reduce((a, b) => Math.max(a, b), 0)),
  );
  return [...new Set(all)].filter((score) => score > 0);
}

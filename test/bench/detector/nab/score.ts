import type { Series } from './corpus.js';

/**
 * NAB's own scoring (nab/sweeper.py, optimizer.py and runner.py of github.com/numenta/NAB). The earliest
 * detection in a window scores up to one, by its position. A window without a detection costs. Every false
 * point costs, less if it is soon after a window. The whole corpus has one threshold, the best one.
 */

export interface Costs {
  readonly tpWeight: number;
  readonly fnWeight: number;
  readonly fpWeight: number;
}

/** config/profiles.json */
export const profiles = {
  standard: { tpWeight: 1, fnWeight: 1, fpWeight: 0.11 },
  reward_low_FP_rate: { tpWeight: 1, fnWeight: 1, fpWeight: 0.22 },
  reward_low_FN_rate: { tpWeight: 1, fnWeight: 2, fpWeight: 0.11 },
} as const satisfies Record<string, Costs>;
export type Profile = keyof typeof profiles;

/** The first 15 % of a series are for learning, at most 15 % of 5,000 points. */
export function probationOf(length: number): number {
  return Math.min(Math.floor(0.15 * length), 0.15 * 5_000);
}

interface Point {
  readonly score: number;
  /** The score of a detection here. */
  readonly worth: number;
  /** Number of its window over all series; -1: none. */
  readonly window: number;
}

export interface Outcome {
  readonly threshold: number;
  /** From 0 (nothing detected) to 100 (every window at its first point). */
  readonly score: number;
}

/** The score with the corpus' best threshold, or with a given one. */
export function scoreCorpus(
  corpus: readonly Series[],
  scores: readonly (readonly number[])[],
  costs: Costs,
  threshold?: number,
): Outcome {
  const windows = corpus.reduce((sum, series) => sum + series.windows.length, 0);
  const curve = sweep(pointsOf(corpus, scores, costs), windows, costs);
  const nothing = -windows * costs.fnWeight;
  const normal = (raw: number) => (100 * (raw - nothing)) / (windows * costs.tpWeight - nothing);
  const chosen =
    threshold === undefined
      ? curve.reduce((best, one) => (one.raw > best.raw ? one : best))
      : curve.filter((one) => one.threshold >= threshold).at(-1)!;
  return { threshold: threshold ?? chosen.threshold, score: normal(chosen.raw) };
}

function sigmoid(position: number): number {
  return position > 3 ? -1 : 2 / (1 + Math.exp(5 * position)) - 1;
}

function pointsOf(corpus: readonly Series[], scores: readonly (readonly number[])[], costs: Costs): Point[] {
  const points: Point[] = [];
  let firstWindow = 0;
  corpus.forEach((series, index) => {
    const probation = probationOf(series.values.length);
    worthOf(series, costs).forEach(({ worth, window }, place) => {
      if (place < probation) return;
      points.push({ score: scores[index]![place]!, worth, window: window < 0 ? -1 : firstWindow + window });
    });
    firstWindow += series.windows.length;
  });
  return points;
}

/** For each point of a series: the score of a detection, and its window, or -1. */
function worthOf({ values, windows }: Series, costs: Costs): { worth: number; window: number }[] {
  const best = sigmoid(-1);
  let next = 0;
  return values.map((_, place) => {
    while (next < windows.length && place > windows[next]![1]) next += 1;
    const window = windows[next];
    if (window !== undefined && place >= window[0]) {
      const [first, last] = window;
      const position = -(last - place + 1) / (last - first + 1);
      return { worth: (sigmoid(position) * costs.tpWeight) / best, window: next };
    }
    const before = windows[next - 1];
    const worth = before === undefined ? -1 : sigmoid((place - before[1]) / (before[1] - before[0]));
    return { worth: worth * costs.fpWeight, window: -1 };
  });
}

/** The raw score of every threshold that changes it, in falling order. */
function sweep(points: Point[], windows: number, costs: Costs): { threshold: number; raw: number }[] {
  points.sort((a, b) => b.score - a.score);
  const earned = new Array<number>(windows).fill(-costs.fnWeight);
  let raw = -windows * costs.fnWeight;
  let threshold = 1.1;
  const curve: { threshold: number; raw: number }[] = [];
  for (const { score, worth, window } of points) {
    if (score !== threshold) {
      curve.push({ threshold, raw });
      threshold = score;
    }
    if (window < 0) raw += worth;
    else if (worth > earned[window]!) {
      raw += worth - earned[window]!;
      earned[window] = worth;
    }
  }
  curve.push({ threshold, raw });
  return curve;
}

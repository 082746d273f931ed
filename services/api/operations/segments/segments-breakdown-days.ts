import { groupBy } from '../../../../shared/group-by.js';
import { foldOf, stateColumnOf } from '../../../../shared/reads/hours/state-columns.js';

/** Figures of segments by UTC day, and their sums. */

/** The engine counts these distinct values with the same estimator. */
const ESTIMATED = 'paths';

/** Figures of a segment on one day: numbers that add up, and states of the estimator. */
export interface DayFigures {
  readonly day: number;
  readonly segment: number;
  readonly figures: ReadonlyMap<string, number | Uint8Array>;
}

/**
 * @param row its texts are states in base64
 * @throws UnknownStateError
 */
export function toDayFigures({
  day,
  segment,
  ...figures
}: { readonly day: number; readonly segment: number } & Readonly<
  Record<string, number | string>
>): DayFigures {
  const kept = Object.entries(figures).map(([name, figure]): [string, number | Uint8Array] => [
    name,
    typeof figure === 'string' ? toState(figure) : figure,
  ]);
  return { day, segment, figures: new Map(kept) };
}

function toState(encoded: string): Uint8Array {
  return stateColumnOf(ESTIMATED, encoded, [Buffer.byteLength(encoded, 'base64')]).bytes;
}

/** A rough measure of a row without its states. */
const ROW_BYTES = 1_500;

export function bytesOf(rows: readonly DayFigures[]): number {
  let bytes = ROW_BYTES * rows.length;
  for (const { figures } of rows)
    for (const figure of figures.values()) if (typeof figure !== 'number') bytes += figure.byteLength;
  return bytes;
}

/** The figures of each segment on all days. */
export function sumDays(rows: readonly DayFigures[]): Map<number, Record<string, number>> {
  return new Map(
    [...groupBy(rows, ({ segment }) => segment)].map(([segment, days]) => {
      const names = [...days[0]!.figures.keys()];
      return [
        segment,
        Object.fromEntries(names.map((name) => [name, total(days.map(({ figures }) => figures.get(name)!))])),
      ];
    }),
  );
}

function total(figures: readonly (number | Uint8Array)[]): number {
  const fold = foldOf(ESTIMATED);
  fold.clear();
  let sum = 0;
  let isEstimate = false;
  for (const figure of figures) {
    if (typeof figure === 'number') sum += figure;
    else {
      isEstimate = true;
      fold.add(figure, 0, figure.length);
    }
  }
  return isEstimate ? (fold.figure() as number) : sum;
}

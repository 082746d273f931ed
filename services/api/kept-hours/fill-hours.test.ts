import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { createDictionaries } from '../../../shared/reads/hours/dictionary.js';
import type { FilledBucket } from '../../../shared/reads/hours/fill-statement.js';
import { keptRollupOf } from '../../../shared/reads/hours/kept-rollups.js';
import { partsOf, spansOf } from '../../../shared/reads/hours/spans.js';
import { paths, type Rollup, traffic } from '../../../shared/reads/sql/read-tables.js';
import { AnswerTooLongError } from '../../../shared/store/store-errors.js';
import { fillHours, fillOrder } from './fill-hours.js';
import type { FillReader, Wanted } from './join-fills.js';

/** A Wednesday at 23:10. */
const END = 20_000 * DAY_MS + 23 * HOUR_MS + 10 * MINUTE_MS;
const week = { start: END - 7 * DAY_MS, end: END, running: true };

/** Days of the ranges of each statement that fills both windows of a week. */
async function fillWeek(rollup: Rollup, charactersOfHour: number, mostCharacters = Number.POSITIVE_INFINITY) {
  const kept = keptRollupOf(rollup)!;
  const wanted = spansOf(kept, week, true)!.flatMap((span) =>
    partsOf(span).map((part) => ({ ...span, name: `${span.unit} ${span.start}`, part, version: 1 })),
  );
  const asked: string[] = [];
  const reader: FillReader = {
    async read({ unit, ranges }: Wanted) {
      const length = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
      const characters = (charactersOfHour * length) / (unit === DAY_MS ? 2 : 1) / HOUR_MS;
      if (characters > mostCharacters) throw new AnswerTooLongError();
      const of = unit === DAY_MS ? 'days' : unit === HOUR_MS ? 'hours' : 'cut hours';
      asked.push(`${length / (unit === DAY_MS ? DAY_MS : HOUR_MS)} ${of}`);
      return { buckets: [] as FilledBucket[], characters };
    },
  };
  const blocks = new Set<string>();
  const pace = new Map<number, number>();
  for (const parts of fillOrder(kept, [
    ...new Map(wanted.map((one) => [`${one.name} ${one.part}`, one])).values(),
  ])) {
    const filled = await fillHours(reader, {
      ...{ websiteId: 'a', rollup: kept, dictionaries: createDictionaries(), pace, parts, onPacked() {} },
      payer: { organisationId: 'org', pay: async () => {}, charge() {} },
    });
    for (const name of filled.keys()) blocks.add(name);
  }
  expect(blocks).toEqual(new Set(wanted.map(({ name }) => name)));
  return asked;
}

describe('the first read of two weeks', () => {
  it('needs a statement for the hours of a small rollup, and one for the cut hours', async () => {
    expect(await fillWeek(traffic, 1_000)).toEqual(['335 hours', '2 cut hours']);
  });

  it('needs few statements for a large rollup with few rows', async () => {
    expect(await fillWeek(paths, 1_000)).toEqual(['24 hours', '23 hours', '12 days', '2 cut hours']);
  });

  it('needs more statements, the more rows a large rollup has', async () => {
    expect(await fillWeek(paths, 20_000)).toEqual([
      ...['24 hours', '23 hours', '4 days', '8 days', '2 cut hours'],
    ]);
    expect((await fillWeek(paths, 200_000)).length).toBeGreaterThan(14);
  });

  it('reads fewer hours at once when an answer is too long', async () => {
    expect(await fillWeek(traffic, 1_000, 200_000)).toEqual(['167 hours', '168 hours', '2 cut hours']);
  });
});

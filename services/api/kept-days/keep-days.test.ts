import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { type DayQuestion, isWholeDay } from '../../../shared/reads/sql/kept-days.js';
import type { Window } from '../../../shared/reads/sql/scope.js';
import { ReadTooLargeError } from '../../../shared/store/store-errors.js';
import { createDataVersions, unknownVersions } from '../answer-cache/data-versions.js';
import { createDaysKeeper } from './keep-days.js';

const FIRST = 20_000;
const NOW = (FIRST + 20) * DAY_MS;
const MEGABYTE = 1024 ** 2;

/** Every piece has the result `n`. */
function open({ versions = createDataVersions(() => NOW), bytes = 100, maxBytes = MEGABYTE } = {}) {
  const store = { n: 1, asked: [] as string[], before: async () => {}, now: NOW };
  const keeper = createDaysKeeper({ versions, maxBytes, now: () => store.now });
  const ask = (from: number, to: number, changed: Partial<DayQuestion<number>> = {}) =>
    keeper.resultsOf<number>({
      websiteId: 'a',
      window: { start: (FIRST + from) * DAY_MS, end: (FIRST + to) * DAY_MS },
      key: 'k',
      hoursAfter: 1,
      async read(pieces) {
        await store.before();
        store.asked.push(pieces.map(nameOf).join(' '));
        return pieces.map(() => store.n);
      },
      bytesOf: () => bytes,
      ...changed,
    });
  return { store, ask, versions };
}

const nameOf = (piece: Window) => `${piece.start / DAY_MS - FIRST}${isWholeDay(piece) ? '' : '*'}`;
const hour = (day: number, hours: number) => {
  const one = (FIRST + day) * 24 + hours;
  return [{ websiteId: 'a', firstHour: one, lastHour: one }];
};

describe('results of days', () => {
  it('are kept for whole days, and the cut ones are read again', async () => {
    const { ask, store } = open();
    expect(await ask(0.5, 3.5)).toEqual([1, 1, 1, 1]);
    store.n = 5;
    expect(await ask(0.25, 3.75)).toEqual([5, 1, 1, 5]);
    expect(await ask(1, 3)).toEqual([1, 1]);
    expect(store.asked).toEqual(['0.5* 1 2 3*', '0.25* 3*']);
  });

  it('are separate by question and website', async () => {
    const { ask, store } = open();
    await ask(1, 2);
    await ask(1, 2, { key: 'other' });
    await ask(1, 2, { websiteId: 'b' });
    expect(store.asked).toEqual(['1', '1', '1']);
  });

  it('are read again after a change in their hours and those after them', async () => {
    const versions = createDataVersions(() => NOW);
    const { ask, store } = open({ versions });
    await ask(1, 4);
    for (const changes of [hour(2, 23), hour(3, 0), hour(4, 1), [{ websiteId: 'a' }]]) {
      versions.raise(changes);
      await ask(1, 4);
    }
    expect(store.asked).toEqual(['1 2 3', '2', '2 3', '1 2 3']);
  });

  it('are read again after a change during their read', async () => {
    const versions = createDataVersions(() => NOW);
    const { ask, store } = open({ versions });
    store.before = async () => versions.raise(hour(1, 5));
    await ask(1, 2);
    store.before = async () => {};
    await ask(1, 2);
    await ask(1, 2);
    expect(store.asked).toEqual(['1', '1']);
  });

  it('are kept for ten minutes, because addresses expire without a change', async () => {
    const { ask, store } = open();
    await ask(1, 2);
    store.now += 10 * MINUTE_MS + 1;
    await ask(1, 2);
    expect(store.asked).toEqual(['1', '1']);
  });

  it('are not kept without a whole day or known versions, or for a very long window', async () => {
    const { ask } = open();
    expect(await ask(0.1, 1.9)).toBeNull();
    expect(await ask(-100, 1)).toBeNull();
    expect(await open({ versions: unknownVersions as never }).ask(0, 3)).toBeNull();
  });

  it('are not kept if they are large, and leave the memory for others', async () => {
    const { ask, store } = open({ bytes: MEGABYTE / 16 });
    await ask(1, 2);
    await ask(1, 2);
    expect(store.asked).toEqual(['1', '1']);
    const small = open({ bytes: 20_000 });
    await small.ask(-60, 0);
    await small.ask(-60, -59);
    expect(small.store.asked).toHaveLength(2);
  });

  it('are not tried for ten minutes after a read was too large', async () => {
    const { ask, store } = open();
    store.before = async () => {
      throw new ReadTooLargeError('too large');
    };
    await expect(ask(0, 3)).rejects.toBeInstanceOf(ReadTooLargeError);
    store.before = async () => {};
    expect(await ask(0, 3)).toBeNull();
    store.now += HOUR_MS;
    expect(await ask(0, 3)).toEqual([1, 1, 1]);
  });
});

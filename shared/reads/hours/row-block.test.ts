import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../durations.js';
import { inTurns } from '../../pacing/turns.js';
import { createDictionaries } from './dictionary.js';
import { packBlock, type Rows } from './row-block.js';

const kept = { columns: ['bot_name', 'status'], metrics: ['requests', 'last_seen'], states: [] } as const;
const DAY = {
  ...{ start: 0, unit: HOUR_MS },
  versions: Array.from({ length: 24 }, () => 1),
  expiresAt: Array.from({ length: 24 }, () => Number.POSITIVE_INFINITY),
};

function rowsOf(names: readonly string[], hour: number): Rows {
  return {
    columns: new Map([
      ['bot_name', { codes: null, values: names }],
      ['status', { codes: null, values: names.map(() => 200) }],
    ]),
    figures: new Map([
      ['requests', names.map(() => 300)],
      ['last_seen', names.map(() => hour)],
    ]),
    states: new Map(),
    from: 0,
    to: names.length,
  };
}

const hours = (namesOf: (hour: number) => readonly string[]) =>
  Array.from({ length: 24 }, (_, hour) => rowsOf(namesOf(hour), hour));

describe('a packed block', () => {
  it('is made in steps, one for each column', async () => {
    let turns = 0;
    await inTurns(
      packBlock(
        kept,
        DAY,
        hours(() => ['__proto__', 'constructor']),
        createDictionaries(),
      ),
      async () => {
        turns += 1;
      },
    );
    // The hours, and then the whole day.
    expect(turns).toBe(8);
  });

  it('has the rows of a complete day as one bucket', async () => {
    const names = ['__proto__', 'constructor'];
    const { whole } = await inTurns(
      packBlock(
        kept,
        DAY,
        hours(() => names),
        createDictionaries(),
      ),
      async () => {},
    );
    expect(whole!.starts).toEqual(Uint32Array.of(0, 2));
    expect(whole!.columns.get('bot_name')!.values).toEqual(names);
    expect(whole!.figures.get('requests')).toEqual(Uint16Array.of(7_200, 7_200));
    expect(whole!.figures.get('last_seen')).toEqual(Uint8Array.of(23, 23));
  });

  it('has only hours, if the whole day has hardly fewer rows', async () => {
    const block = await inTurns(
      packBlock(
        kept,
        DAY,
        hours((hour) => [`name ${hour}`]),
        createDictionaries(),
      ),
      async () => {},
    );
    expect(block.starts.at(-1)).toBe(24);
    expect(block.whole).toBeUndefined();
  });
});

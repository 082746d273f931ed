import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { botOf, clientOf, minute, minuteOf } from '../../test/harness/detector/signal.js';
import { textsNaming } from '../requests/naming-address.js';
import { withoutAddress } from './forget-address.js';
import type { MinuteSignal } from './signal.js';

const ADDRESS = '198.51.100.7';
const names = textsNaming(ADDRESS);

const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];

/** Some of its texts are, or hold, the address. */
const naming: fc.Arbitrary<MinuteSignal> = fc
  .tuple(minute, fc.infiniteStream(fc.constantFrom(false, false, true)), fc.constantFrom('', '/?ip='))
  .map(([given, planted, before]) => {
    const plant = (value: unknown): unknown => {
      if (typeof value === 'string') return planted.next().value ? `${before}${ADDRESS}` : value;
      if (Array.isArray(value)) return value.map(plant);
      if (typeof value !== 'object' || value === null) return value;
      // What the enricher looks up in tables of its own is none of a sender's.
      return Object.fromEntries(
        Object.entries(value).map(([field, held]) => [
          field,
          ['country', 'asName', 'category', 'verification'].includes(field) ? held : plant(held),
        ]),
      );
    };
    return plant(given) as MinuteSignal;
  });

describe('counts without an address', () => {
  it('name it nowhere, and count what they counted', () => {
    fc.assert(
      fc.property(naming, (given) => {
        const without = withoutAddress(given, names);
        expect(textsOf(without).filter(names)).toEqual([]);
        const lists = { byBot: [], byClient: [], failingPaths: [] };
        expect({ ...without, ...lists }).toEqual({ ...given, ...lists });
        expect(withoutAddress(without, names)).toBe(without);
      }),
    );
  });

  it('keep every entry that is not its own', () => {
    const given = minuteOf({
      byBot: [botOf({ name: 'One', sampleIp: ADDRESS, requests: 3 }), botOf({ name: 'Two' })],
      byClient: [
        clientOf({ ip: ADDRESS }),
        clientOf({ ip: '198.51.100.77' }),
        clientOf({ ip: '192.0.2.9', samplePaths: ['/', `/who?ip=${ADDRESS}`] }),
      ],
      failingPaths: [
        { path: `/${ADDRESS}`, status: 404, requests: 1 },
        { path: '/a', status: 404, requests: 1 },
      ],
    });
    const without = withoutAddress(given, names);
    expect(without.byBot).toEqual([
      { ...given.byBot[0], sampleIp: '', sampleUserAgent: '', samplePath: '' },
      given.byBot[1],
    ]);
    expect(without.byClient).toEqual([given.byClient[1], { ...given.byClient[2], samplePaths: ['/'] }]);
    expect(without.failingPaths).toEqual([given.failingPaths[1]]);
  });

  it('are the same value where nothing names it', () => {
    const given = minuteOf({ byClient: [clientOf({ ip: '198.51.100.77' })], byBot: [botOf({})] });
    expect(withoutAddress(given, names)).toBe(given);
  });
});

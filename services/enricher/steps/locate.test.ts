import { describe, expect, test } from 'vitest';
import { openLocationDatabases } from '../../../shared/location/open-databases.js';
import { asnTableFrom } from '../../../test/harness/enricher/asn-table.js';
import { createLocateStep } from './locate.js';

describe('locate', () => {
  let lookups = 0;
  const locate = createLocateStep({
    findPlace: (ip) => {
      lookups += 1;
      return ip === '192.0.2.7' ? { country: 'DE', region: 'Hesse', city: 'Frankfurt am Main' } : null;
    },
    asnTable: asnTableFrom('3221225984,3221226239,64500,Example\n3405803776,3405804031,64501,Other\n', ''),
    cacheSize: 10,
  });
  const frankfurt = {
    country: 'DE',
    region: 'Hesse',
    city: 'Frankfurt am Main',
    asn: 64500,
    as_name: 'Example',
  };
  const nowhere = { country: '', region: '', city: '', asn: 0, as_name: '' };

  test('queries the databases once per address', () => {
    expect(locate('192.0.2.7', '', null)).toEqual(frankfurt);
    expect(locate('192.0.2.7', '', null)).toEqual(frankfurt);
    expect(lookups).toBe(1);
  });

  test.each([
    ['the same country keeps region and city', 'DE', null, frankfurt],
    ['another country drops them', 'FR', null, { ...frankfurt, country: 'FR', region: '', city: '' }],
    ['another network takes its own name', '', 64501, { ...frankfurt, asn: 64501, as_name: 'Other' }],
    ['an unknown network has none', '', 65000, { ...frankfurt, asn: 65000, as_name: '' }],
    ['0 is no network', '', 0, frankfurt],
    ['XX is no country', 'XX', null, frankfurt],
    ['T1 is no country', 'T1', null, frankfurt],
  ] as const)("the source's values have precedence: %s", (_, country, asn, expected) => {
    expect(locate('192.0.2.7', country, asn)).toEqual(expected);
  });

  test('an unknown address has no place, unless the source has one', () => {
    expect(locate('10.0.0.1', '', null)).toEqual(nowhere);
    expect(locate('10.0.0.1', 'NL', null)).toEqual({ ...nowhere, country: 'NL' });
  });
});

describe('the shipped databases', () => {
  const databases = openLocationDatabases();
  const locate = createLocateStep({ ...databases, cacheSize: 100 });

  test.each([
    ['66.249.66.1', 'US', 15169],
    ['::ffff:66.249.66.1', 'US', 15169],
    ['77.88.55.60', 'RU', 13238],
    ['2a02:6b8::1', 'RU', 13238],
  ])('%s is in %s, AS%i', (ip, country, asn) => {
    expect(locate(ip, '', null)).toMatchObject({ country, asn });
  });

  test('know a city, without its quarter', () => {
    expect(databases.findPlace('81.2.69.160')).toEqual({ country: 'GB', region: 'England', city: 'London' });
    const cities = Array.from(
      { length: 2_000 },
      (_, index) => databases.findPlace(`${1 + (index % 220)}.${index % 251}.7.1`)?.city ?? '',
    );
    expect(cities.filter((city) => city.endsWith(')'))).toEqual([]);
    expect(cities.filter((city) => city !== '').length).toBeGreaterThan(1_000);
  });

  test.each(['10.1.2.3', '127.0.0.1', '192.168.1.1', '::1', 'fd00::1', 'fe80::1', 'not an address'])(
    '%s has no place',
    (ip) => {
      expect(locate(ip, '', null)).toEqual({ country: '', region: '', city: '', asn: 0, as_name: '' });
    },
  );
});

import { expect, it } from 'vitest';
import { readCountryName } from './country-name.js';

it.each([
  ['Netherlands', 'NL'],
  ['the netherlands', 'NL'],
  ['france', 'FR'],
  ['UNITED STATES', 'US'],
  ['United Kingdom', 'GB'],
  ['Germany', 'DE'],
  ['Serbia', 'RS'],
  ['Russia', 'RU'],
  ['Korea, Republic of', 'KR'],
  ['South Korea', 'KR'],
  ['Trinidad and Tobago', 'TT'],
  ['Saint Lucia', 'LC'],
  ['Reunion', 'RE'],
  ["Cote d'Ivoire", 'CI'],
  ['Turkey', 'TR'],
  ['Türkiye', 'TR'],
  ['Hong Kong SAR', 'HK'],
  ['ch', 'CH'],
])('reads the country %s', (name, code) => {
  expect(readCountryName(name)).toBe(code);
});

it.each([['Atlantis'], ['N/A'], ['-'], [''], ['XX'], ['unknown'], [null], [{}], [7], ['European Union']])(
  'knows no country %j',
  (value) => {
    expect(readCountryName(value)).toBe('');
  },
);

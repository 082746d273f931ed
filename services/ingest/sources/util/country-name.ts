import { readCountry, readWord } from './coerce.js';

/** Codes that are no longer in use, or that are not countries, and share a name with a code in use. */
const notInUse = new Set([
  ...['AN', 'BU', 'CS', 'DD', 'DY', 'FX', 'HV', 'NH', 'RH', 'SU', 'TP', 'UK', 'VD', 'YD', 'YU', 'ZR'],
  ...['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'],
]);

/** Names that CDNs use and that differ from Unicode's list. */
const otherNames: readonly (readonly [name: string, code: string])[] = [
  ['United States of America', 'US'],
  ['Great Britain', 'GB'],
  ['Russian Federation', 'RU'],
  ['Korea', 'KR'],
  ['Republic of Korea', 'KR'],
  ['Korea, Republic of', 'KR'],
  ["Korea, Democratic People's Republic of", 'KP'],
  ['Hong Kong', 'HK'],
  ['Hong Kong SAR', 'HK'],
  ['Macao', 'MO'],
  ['Macau', 'MO'],
  ['Macao SAR', 'MO'],
  ['Turkey', 'TR'],
  ['Czech Republic', 'CZ'],
  ['Viet Nam', 'VN'],
  ['Iran, Islamic Republic of', 'IR'],
  ['Syrian Arab Republic', 'SY'],
  ['Taiwan, Province of China', 'TW'],
  ['Tanzania, United Republic of', 'TZ'],
  ['Bolivia, Plurinational State of', 'BO'],
  ['Venezuela, Bolivarian Republic of', 'VE'],
  ['Moldova, Republic of', 'MD'],
  ["Lao People's Democratic Republic", 'LA'],
  ['Brunei Darussalam', 'BN'],
  ['Macedonia', 'MK'],
  ['Swaziland', 'SZ'],
  ['Cabo Verde', 'CV'],
  ['Ivory Coast', 'CI'],
  ['Myanmar', 'MM'],
  ['Burma', 'MM'],
  ['Congo', 'CG'],
  ['Republic of the Congo', 'CG'],
  ['Congo (DRC)', 'CD'],
  ['Congo, Democratic Republic of the', 'CD'],
  ['Democratic Republic of the Congo', 'CD'],
  ['Palestine', 'PS'],
  ['Palestinian Territory', 'PS'],
  ['Palestine, State of', 'PS'],
  ['Palestinian Authority', 'PS'],
  ['Holy See', 'VA'],
  ['East Timor', 'TL'],
  ['Saint Martin', 'MF'],
];

/** Longer than any name. */
const LONGEST_NAME = 80;

const codes = readCodes();

/**
 * ISO 3166-1 alpha-2 code of a country from its English name, in any case, or its code; '' if unknown.
 */
export function readCountryName(value: unknown): string {
  const name = readWord(value);
  if (name === '') return '';
  return name.length === 2 ? readCountry(name) : codeOf(name);
}

/** Cache of the codes of recent names: simplifying a name costs more than the rest of its record. */
const written = new Map<string, string>();
const MOST_WRITTEN = 512;

function codeOf(name: string): string {
  const kept = written.get(name);
  if (kept !== undefined) return kept;
  const code = codes.get(simplify(name)) ?? '';
  if (name.length > LONGEST_NAME) return code;
  if (written.size >= MOST_WRITTEN) written.clear();
  written.set(name, code);
  return code;
}

function readCodes(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = notInUse.has(code) ? undefined : names.of(code);
    if (name !== undefined) found.set(simplify(name), code);
  }
  for (const [name, code] of otherNames) found.set(simplify(name), code);
  return found;
}

/** The name without parts whose spelling varies: case, accents, "and", "the", "Saint", punctuation. */
function simplify(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && word !== 'and' && word !== 'the')
    .map((word) => (word === 'saint' ? 'st' : word))
    .join(' ');
}

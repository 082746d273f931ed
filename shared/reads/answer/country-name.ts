const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Names by code, at most 676. */
const known = new Map<string, string>();

/** English name of an ISO 3166-1 alpha-2 code; '' if the code is empty or names no country. */
export function countryName(code: string): string {
  let name = known.get(code);
  if (name !== undefined) return name;
  if (!/^[A-Z]{2}$/.test(code)) return '';
  name = names.of(code) ?? '';
  known.set(code, name);
  return name;
}

/** Every code with a name, and its name. */
export function countryNames(): [code: string, name: string][] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code): [string, string][] => {
      const name = countryName(code);
      return name === '' ? [] : [[code, name]];
    });
}

/** Codes with a name that are not regions: pseudo-locales, Outlying Oceania, Unknown Region. */
const noRegions: ReadonlySet<string> = new Set(['QO', 'XA', 'XB', 'ZZ']);

/** Whether a request can be from this country. Withdrawn codes count, because older address lists have them. */
export function isCountryCode(code: string): boolean {
  return !noRegions.has(code) && countryName(code) !== '';
}

/** Codes in use. */
export function countryCodes(): string[] {
  const isInUse = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
  return countryNames().flatMap(([code]) => (isCountryCode(code) && isInUse(code) ? code : []));
}

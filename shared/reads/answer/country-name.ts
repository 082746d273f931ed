const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** English name of an ISO 3166-1 alpha-2 code; '' if the code is empty or names no country. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? '') : '';
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

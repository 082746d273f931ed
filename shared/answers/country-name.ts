const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** English name of an ISO 3166-1 alpha-2 code; '' where the code is empty or names no country. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? '') : '';
}

/** Every code that has a name, with it. */
export function countryNames(): [code: string, name: string][] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code): [string, string][] => {
      const name = countryName(code);
      return name === '' ? [] : [[code, name]];
    });
}

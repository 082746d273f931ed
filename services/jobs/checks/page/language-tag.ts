/** A language as HTML and hreflang write it (BCP 47: `de`, `en-GB`, `zh-Hant-TW`): the codes that there are, not just their form. */
export function isLanguageTag(text: string): boolean {
  if (text.length > 35) return false;
  try {
    const { language, region } = new Intl.Locale(text);
    // Many write UK for the United Kingdom, whose code is GB; reading takes the one for the other, search engines do not.
    if (text.toLowerCase().split('-').slice(1).includes('uk')) return false;
    return isKnown('language', language) && (region === undefined || isKnown('region', region));
  } catch {
    return false;
  }
}

function isKnown(type: 'language' | 'region', code: string): boolean {
  return new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(code) !== undefined;
}

/** A language in the form of HTML and hreflang (BCP 47: `de`, `en-GB`, `zh-Hant-TW`). The codes must exist, not only have the right form. */
export function isLanguageTag(text: string): boolean {
  if (text.length > 35) return false;
  try {
    const { language, region } = new Intl.Locale(text);
    // `UK` is a common mistake for `GB`. Intl.Locale accepts it, search engines do not.
    if (text.toLowerCase().split('-').slice(1).includes('uk')) return false;
    return isKnown('language', language) && (region === undefined || isKnown('region', region));
  } catch {
    return false;
  }
}

function isKnown(type: 'language' | 'region', code: string): boolean {
  return new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(code) !== undefined;
}

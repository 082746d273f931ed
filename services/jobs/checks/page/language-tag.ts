/** A language as HTML and hreflang write it (BCP 47: `de`, `en-GB`, `zh-Hant-TW`): the codes that there are, not just their form. */
export function isLanguageTag(text: string): boolean {
  if (text.length > 35) return false;
  try {
    const locale = new Intl.Locale(text);
    const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(locale.language);
    const region = locale.region;
    return name !== undefined && (region === undefined || isRegion(region));
  } catch {
    return false;
  }
}

/** UK is what many write for the United Kingdom, whose code is GB. */
function isRegion(code: string): boolean {
  return (
    code !== 'UK' &&
    new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code) !== undefined
  );
}

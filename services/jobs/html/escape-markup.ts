const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** What XML has no way to write; one such character and no renderer takes the picture. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text as a piece of XML or HTML, between tags or between quotes. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities.get(character)!);
}

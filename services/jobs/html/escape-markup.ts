const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Characters that XML cannot contain. One of them makes renderers reject the whole picture. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression is about these characters
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes a text for XML or HTML, between tags or quotes. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities.get(character)!);
}

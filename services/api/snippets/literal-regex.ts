/** What a regex takes for itself in every flavour. */
const PLAIN = /[A-Za-z0-9/_-]/;

/**
 * A text as a regex of PCRE that matches its UTF-8 bytes and nothing else. No character of it means anything to the regex, to a quoted
 * string of nginx or Apache around it, or to what they replace in it (`$`, `%`, `{`).
 */
export function literalRegex(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}

/** Characters without a special meaning in all regex flavours. */
const PLAIN = /[A-Za-z0-9/_-]/;

/**
 * A PCRE regex that matches exactly the UTF-8 bytes of a text. No character has a special meaning in the regex, in a quoted string of nginx
 * or Apache, or in their variable substitution (`$`, `%`, `{`).
 */
export function literalRegex(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}

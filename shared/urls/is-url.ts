/**
 * Whether a text is a URL, relative to a base. Replaces `URL.canParse`: in Node 20 its result is wrong for non-ASCII
 * letters once the runtime has compiled the caller, and `new URL` then throws.
 */
export function isUrl(text: string, base?: string | URL): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}

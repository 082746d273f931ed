/**
 * Whether a text is a URL, relative to a base. In place of `URL.canParse`, which in Node 20 answers wrongly for letters beyond ASCII once the
 * runtime has compiled its caller, so that `new URL` then throws.
 */
export function isUrl(text: string, base?: string | URL): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}

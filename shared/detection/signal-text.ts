/** JSON writes each of them as six characters, and nobody can read them. */
const CONTROL = /\p{Cc}/gu;

/**
 * A text of a request as signals hold it: its beginning of at most so many UTF-16 code units, with U+FFFD for each control character. It is
 * no window on the longer text, which would stay in memory with it, and no pair of surrogates is cut in two.
 */
export function signalText(text: string, most: number): string {
  return (text.length > most ? beginning(text, most) : text).replace(CONTROL, '\ufffd');
}

/** Through bytes: the engine makes a slice a window. */
function beginning(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  const isSplit = last >= 0xd800 && last < 0xdc00;
  return Buffer.from(text.slice(0, isSplit ? most - 1 : most)).toString();
}

/**
 * Text of logs is written by strangers. Some characters show a reader other text than the model reads: escape sequences of terminals,
 * control characters, characters without width, marks of writing direction, tags (an invisible copy of ASCII) and variation selectors
 * (256 invisible values). All of them are removed.
 */

/** Escape sequences of terminals: CSI, also with its C1 character; OSC up to BEL or ST; and the short ones. Each is linear to match. */
const escapes = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    String.raw`(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*`,
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/**
 * Control (Cc) and format characters (Cf: zero width, bidi, tags), private, unpaired and unassigned ones, fillers without ink, and
 * variation selectors (of Mongolian, 1 to 16, 17 to 256).
 */
const hidden = new RegExp(
  [
    String.raw`[\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Cn}`,
    String.raw`\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2800\u3164\uffa0\ufe00-\ufe0f`,
    String.raw`\u{e0000}-\u{e0fff}]`,
  ].join(''),
  'gu',
);

const breaks = /[\t\n\r\u0085\u2028\u2029\v\f]+/g;

/** One line of visible text. */
export function clean(text: string): string {
  return text.replace(escapes, '').replace(breaks, ' ').replace(hidden, '');
}

/** Cut to so many characters, with a mark. Half a surrogate pair is not left. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

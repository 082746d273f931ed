/**
 * Text of logs is written by strangers. Some characters run in a terminal, or show a reader other text than a program reads: escape
 * sequences, control characters, characters without width, marks of writing direction, tags (an invisible copy of ASCII) and variation
 * selectors (256 invisible values).
 */

/** ECMA-48: control sequences, strings such as titles (OSC, DCS, SOS, PM, APC), and escapes of two characters. Each is linear to match. */
const escapes = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    String.raw`(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/**
 * Control (Cc) and format characters (Cf: zero width, bidi, tags), private, unpaired and unassigned ones, fillers without ink, and
 * variation selectors (of Mongolian, 1 to 16, 17 to 256).
 */
const hiddenClass = String.raw`[\p{Cf}\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}\u{13441}\u{13442}]`;
const hidden = new RegExp(hiddenClass, 'gu');
const hiddenRuns = new RegExp(`${hiddenClass}+`, 'gu');

const breaks = /[\t\n\r\u0085\u2028\u2029\v\f]+/g;

/** One line of visible text. */
export function visibleLine(text: string): string {
  return text.replace(escapes, '').replace(breaks, ' ').replace(hidden, '');
}

/** The text with each hidden character replaced; line breaks and tabs are among them. */
export function replaceHidden(text: string, replaced: (character: string) => string): string {
  return text.replace(hidden, replaced);
}

/** The text with a space for each run of hidden characters. */
export function spaceHidden(text: string): string {
  return text.replace(hiddenRuns, ' ');
}

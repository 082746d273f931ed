/** Text of logs and of a server may contain sequences that a terminal executes, and characters that hide or reorder text. */

/** ECMA-48: control sequences, strings such as titles (OSC, DCS, SOS, PM, APC), and escapes of two characters. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
/** C0, DEL, C1, zero-width and bidirectional controls, tags, and line separators of Unicode. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** The characters of HIDDEN that JSON.stringify writes as they are. */
const UNESCAPED =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** One line for a terminal. Line ends and tabs become spaces. */
export function cleanText(text: string): string {
  return text
    .replaceAll(SEQUENCES, '')
    .replaceAll(/[\t\r\n]+/g, ' ')
    .replaceAll(HIDDEN, '');
}

/** Several lines for a terminal. */
export function cleanLines(text: string): string {
  return text.split('\n').map(cleanText).join('\n');
}

/** JSON with the same values, whose text contains no character that a terminal would execute or hide. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(UNESCAPED, escapeUnits);
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let at = 0; at < character.length; at++)
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}

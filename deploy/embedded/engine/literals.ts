const SPECIAL = /[\\'\0\b\f\r\n\t]/g;
const escapes: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['\0', '\\0'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\n', '\\n'],
  ['\t', '\\t'],
]);

/**
 * A string as a SQL literal: quoted, with every character escaped that could end it or break a line. NUL is among
 * them: the engine's C interface ends a text there.
 */
export function stringLiteral(value: string): string {
  return `'${value.replace(SPECIAL, (character) => escapes.get(character) as string)}'`;
}

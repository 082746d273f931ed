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
 * A string as a quoted SQL literal. Every character that could end it or break a line is escaped. NUL is escaped, too,
 * since it ends a text in the engine's C interface.
 */
export function stringLiteral(value: string): string {
  return `'${value.replace(SPECIAL, (character) => escapes.get(character) as string)}'`;
}

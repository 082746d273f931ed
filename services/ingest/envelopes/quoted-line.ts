import { findCommonLogTime } from '../sources/util/parse-timestamp.js';

const QUOTE = 34;

/**
 * A combined line in quotes, as OpenLiteSpeed writes it: `"192.0.2.1 - - [time] "GET / HTTP/1.1" 200 5"`. A quoted
 * word at the beginning of a
 * line, such as a list of forwarded addresses, is closed before the time.
 * @returns the line without these quotes; other lines unchanged
 */
export function unquoteLine(line: string): string {
  if (line.charCodeAt(0) !== QUOTE || line.charCodeAt(line.length - 1) !== QUOTE) return line;
  const time = findCommonLogTime(line);
  if (time === -1 || line.indexOf('"', 1) < time) return line;
  return line.slice(1, -1);
}

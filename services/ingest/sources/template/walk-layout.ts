import { quote } from '../util/cut-text.js';
import type { Rejection } from '../util/source.js';
import { isEscaped } from '../util/split-words.js';
import { isUserBeforeTime, type Layout, type Variable } from './template-format.js';
import type { Part } from './template-variables.js';

const TAB = 9;
const SPACE = 32;
const QUOTE = 34;

/** Reads a line into texts, one for each variable. Returns null, or the reason why it can't be read. */
export type Walk = (line: string, texts: string[]) => Rejection | null;

/**
 * Reads a line from left to right. Each variable ends at the next literal, a quoted one at an unescaped quote. Text
 * after the format's end is ignored. It takes linear time.
 */
export function createWalk(layout: Layout): Walk {
  const { literals, variables } = layout;
  const count = variables.length;
  const begins = literals[0]!;
  const ends = literals.slice(1);
  const quoted = ends.map((end, index) => end.startsWith('"') && literals[index]!.endsWith('"'));
  const lists = ends.map((end, index) => variables[index]!.isList && end.startsWith(' '));
  const spaces = ends.map((end, index) => (end.startsWith(' ') ? variables[index]!.spaces : 0));
  const users = ends.map((_, index) => isUserBeforeTime(layout, index));
  const wrong = ends.map((end, index): Rejection => {
    if (quoted[index])
      return { reject: `${variables[index]!.name}: a quoted field is not closed (line cut off?)` };
    return { reject: `not in the format: expected ${quote(end)} behind ${variables[index]!.name}` };
  });
  const wrongBegin: Rejection = { reject: `not in the format: expected ${quote(begins)} first` };

  return (line, texts) => {
    if (!line.startsWith(begins)) return wrongBegin;
    let at = begins.length;
    for (let index = 0; index < count; index++) {
      const literal = ends[index]!;
      let end = literal === '' ? endOfLast(line, at, variables[index]!) : line.indexOf(literal, at);
      // Also the last of several variables in one pair of quotes.
      if (literal.startsWith('"')) {
        while (end !== -1 && isEscaped(line, end, at)) end = line.indexOf(literal, end + 1);
      } else if (users[index]) {
        end = endOfUser(line, at, literal, ends[index + 1]!);
      } else if (lists[index]) {
        while (end !== -1 && goesOn(line, end, at)) end = line.indexOf(literal, end + 1);
      }
      for (let left = spaces[index]!; left > 0 && end !== -1; left--) end = line.indexOf(literal, end + 1);
      if (end === -1) return wrong[index]!;
      texts[index] = line.slice(at, end);
      at = end + literal.length;
    }
    return null;
  };
}

/** Parts whose texts have no space. */
const words: ReadonlySet<Part> = new Set<Part>([
  'address',
  'status',
  'bytes',
  'body_bytes',
  'seconds',
  'milliseconds',
  'microseconds',
  'protocol',
  'host',
  'server_name',
  'request_id',
  'country',
]);

/** The end of a last variable: after its word, or the line's end if it may have spaces. */
function endOfLast(line: string, from: number, { part }: Variable): number {
  if (!words.has(part)) return line.length;
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === SPACE || code === TAB) return at;
  }
  return line.length;
}

/**
 * The client chooses a user's name, which may contain the next literal. It can't contain an unescaped quote. So it
 * ends at the last such literal before the next literal with a quote.
 */
function endOfUser(line: string, from: number, literal: string, next: string): number {
  const nextAt = line.indexOf(next, from);
  const end = nextAt === -1 ? -1 : line.lastIndexOf(literal, nextAt - 1);
  return end < from ? -1 : end;
}

/** Whether a list continues after a space: `0.1, 0.2 : 0.3`. */
function goesOn(line: string, at: number, from: number): boolean {
  const before = at === from ? QUOTE : line.charCodeAt(at - 1);
  if (before === 44 /* , */) return true;
  const isColon = (index: number) =>
    line.charCodeAt(index) === 58 &&
    line.charCodeAt(index - 1) === SPACE &&
    line.charCodeAt(index + 1) === SPACE;
  return isColon(at + 1) || (at - 1 > from && isColon(at - 1));
}

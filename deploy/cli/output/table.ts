import { visibleLine } from '../../../shared/visible-text.js';
import { fieldOf, flatten, type Row } from './rows.js';

/** Tables for people: as many columns as the terminal has room for. */

export interface TableOptions {
  readonly width: number;
  readonly colour: boolean;
  /** Shown as they are, even if they do not fit. */
  readonly columns: readonly string[] | null;
}

export interface Table {
  readonly lines: readonly string[];
  /** Columns that have no room. */
  readonly left: readonly string[];
}

const WIDEST_CELL = 60;
const GAP = '  ';
/** Without separators: a status and the number of a network are no amounts. */
const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2, useGrouping: false });

export function renderTable(rows: readonly Row[], { width, colour, columns }: TableOptions): Table {
  const flat = rows.map((row) => flatten(row));
  const names = columns ?? [...new Set(flat.flatMap((row) => Object.keys(row)))];
  const cells = names.map((name) => flat.map((row) => cellOf(fieldOf(row, name))));
  const widths = names.map((name, at) => Math.max(name.length, ...cells[at]!.map((cell) => cell.length)));
  const fitting = columns === null ? countFitting(widths, width) : names.length;
  const shown = names.slice(0, fitting);
  const isNumeric = shown.map((name) => flat.every((row) => typeof (fieldOf(row, name) ?? 0) === 'number'));
  const lineOf = (texts: readonly string[]) =>
    texts
      .map((text, at) => (isNumeric[at] ? text.padStart(widths[at]!) : text.padEnd(widths[at]!)))
      .join(GAP)
      .trimEnd();
  const head = lineOf(shown.map(visibleLine));
  return {
    lines: [
      colour ? `\u001b[1m${head}\u001b[0m` : head,
      ...flat.map((_, row) => lineOf(shown.map((_, at) => cells[at]![row]!))),
    ],
    left: names.slice(fitting),
  };
}

/** Names and values in two columns. */
export function renderPairs(pairs: readonly (readonly [string, unknown])[]): string[] {
  const widest = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${visibleLine(name).padEnd(widest)}${GAP}${textOf(value)}`);
}

function countFitting(widths: readonly number[], width: number): number {
  let [used, count] = [0, 0];
  for (const one of widths) {
    used += one + (count === 0 ? 0 : GAP.length);
    if (count > 0 && used > width) break;
    count++;
  }
  return count;
}

function cellOf(value: unknown): string {
  const text = textOf(value);
  return text.length > WIDEST_CELL ? `${text.slice(0, WIDEST_CELL - 1)}…` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number') return number.format(value);
  return visibleLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

import { visibleLine } from '../../../shared/visible-text.js';
import { flatten, type Row } from './rows.js';

/** First characters that spreadsheets take for a formula (OWASP, "CSV Injection"), as in the API's export files. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const QUOTED = /[",\r\n]/;

export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string')
    return quoted(typeof value === 'object' ? visibleLine(JSON.stringify(value)) : String(value));
  const text = visibleLine(value);
  // Cleaning can bring another character to the front.
  return quoted(FORMULA.test(value) || FORMULA.test(text.trimStart()) ? `'${text}` : text);
}

function quoted(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Columns of the first rows; later rows have the same. */
export function columnsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(flatten(row))))];
}

import { snakeCase } from '../../../shared/control/domain/snake-case.js';

/** Renders answers: JSON for programs, aligned columns for people. Field names are those of the public API. */

export type Row = Readonly<Record<string, unknown>>;

export function renderJson(value: unknown): string {
  return JSON.stringify(toSnakeCase(value), null, 2);
}

/** A heading and one line per row; `(none)` without rows. */
export function renderTable(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return '(none)';
  const columns = Object.keys(first);
  const lines = [
    columns.map(snakeCase),
    ...rows.map((row) => columns.map((column) => cell(Object.hasOwn(row, column) ? row[column] : null))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(toSnakeCase(value)) : String(value);
}

function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [snakeCase(name), toSnakeCase(each)]),
  );
}

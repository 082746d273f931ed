import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isInstant, logText, withYearAndTime, zoneName } from '../format.js';
import { ScrollFrame } from './scroll-frame.js';

// biome-ignore lint/suspicious/noExplicitAny: the rows of a table are of one type, which its maker knows.
type Row = any;

export interface Column {
  readonly title: string;
  /** For the CSV file, and for sorting. */
  readonly value: (row: Row) => string | number | null;
  /** Default: the value. */
  readonly show?: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows at first; default 25. */
  readonly first?: number;
  /** Name of the rows, for screen readers. */
  readonly caption?: string;
}

const ROWS_AT_FIRST = 25;

/** A table that sorts by a click on a column, and shows some rows at first. */
export function DataTable({
  table: { columns, rows, caption, first = ROWS_AT_FIRST },
}: {
  readonly table: Table;
}) {
  const [sort, setSort] = useState<{ index: number; isDown: boolean } | null>(null);
  const [count, setCount] = useState(first);
  const column = sort === null ? undefined : columns[sort.index];
  const sorted =
    column === undefined || sort === null
      ? rows
      : [...rows].sort((a, b) => compare(column.value(a), column.value(b)) * (sort.isDown ? -1 : 1));
  const sortBy = (index: number) =>
    setSort(
      sort?.index === index
        ? { index, isDown: !sort.isDown }
        : { index, isDown: columns[index]?.isNumber === true },
    );
  return (
    <ScrollFrame label={caption ?? 'Table'}>
      <table class="data">
        {caption === undefined ? null : <caption class="visually-hidden">{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ title, value, show, isNumber }, index) => (
              <th
                key={title}
                scope="col"
                class={isNumber ? 'number' : ''}
                aria-sort={sort?.index === index ? (sort.isDown ? 'descending' : 'ascending') : 'none'}
              >
                <button type="button" onClick={() => sortBy(index)}>
                  {hasTimes(rows, value, show !== undefined) ? `${title} (${zoneName()})` : title}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, count).map((row, place) => (
            <tr key={place}>
              {columns.map(({ title, value, show, isNumber }) => (
                <td key={title} class={isNumber ? 'number' : ''}>
                  {show === undefined ? plain(value(row)) : show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > count ? (
        <button type="button" class="more" onClick={() => setCount(count + 100)}>
          {sorted.length - count} more rows
        </button>
      ) : null}
    </ScrollFrame>
  );
}

function plain(value: string | number | null): string {
  if (value === null) return '–';
  if (typeof value === 'number') return value.toLocaleString();
  return isInstant(value) ? withYearAndTime(value) : logText(value);
}

/** Whether a column shows plain moments, so that its head names their zone. */
export function hasTimes(rows: readonly Row[], value: Column['value'], isDrawn = false): boolean {
  if (isDrawn) return false;
  const first = rows.find((row) => value(row) !== null);
  return first !== undefined && isInstant(value(first));
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}

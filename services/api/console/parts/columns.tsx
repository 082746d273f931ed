import type { ComponentChildren } from 'preact';
import type { Column } from './data-table.js';

/** Makers of columns whose values are fields of the rows, so that a renamed field fails the check of types. */
export function columnsOf<Row>() {
  type Show = (row: Row) => ComponentChildren;
  const column = (title: string, field: keyof Row, isNumber: boolean, show?: Show): Column => ({
    title,
    value: (row: Row) => row[field] as string | number | null,
    isNumber,
    ...(show === undefined ? {} : { show }),
  });
  return {
    text: (title: string, field: keyof Row, show?: Show) => column(title, field, false, show),
    number: (title: string, field: keyof Row, show?: Show) => column(title, field, true, show),
  };
}

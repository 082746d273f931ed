import { z } from 'zod';
import { SECOND_MS } from '../durations.js';
import { dateTime64, type RowValue } from './insert-rows.js';

/** The fields of a stored value, each with a column. One definition provides both reading and writing. */

export interface StoredField<Value> {
  readonly type: z.ZodType<Value>;
  /** SQL that reads the column. */
  sql(column: string): string;
  write(value: Value): RowValue;
}

/** A column that stores the value unchanged. */
export function asIs<Value extends RowValue>(type: z.ZodType<Value>): StoredField<Value> {
  return { type, sql: (column) => column, write: (value) => value };
}

export const text = asIs(z.string());
export const number = asIs(z.number());
export const flag = asIs(z.boolean());

/** Milliseconds since the epoch, in a DateTime64. */
export const instant: StoredField<number> = {
  type: z.number(),
  sql: (column) => `toUnixTimestamp64Milli(${column})`,
  write: dateTime64,
};

/** Milliseconds since the epoch, in a DateTime, which stores whole seconds. */
export const second: StoredField<number> = {
  type: z.number(),
  sql: (column) => `toUnixTimestamp(${column}) * ${SECOND_MS}`,
  write: (value) => value / SECOND_MS,
};

/** A value as JSON text. */
export function json<Value>(type: z.ZodType<Value>): StoredField<Value> {
  return {
    type: z.string().transform((value) => type.parse(JSON.parse(value))),
    sql: (column) => column,
    write: (value) => JSON.stringify(value),
  };
}

/** An optional field. @param none its value in the table for null. */
export function orNone<Value>(field: StoredField<Value>, none: Value): StoredField<Value | null> {
  return {
    type: field.type.transform((value) => (value === none ? null : value)),
    sql: field.sql,
    write: (value) => field.write(value ?? none),
  };
}

type Fields = Readonly<Record<string, StoredField<unknown>>>;
type Values<Given extends Fields> = { readonly [Name in keyof Given]: z.output<Given[Name]['type']> };

/** @param columnNames columns that differ from the field's name in snake case. */
export function storedFields<Given extends Fields>(
  fields: Given,
  columnNames: Partial<Record<keyof Given, string>> = {},
) {
  const otherNames = new Map(Object.entries<string | undefined>(columnNames));
  const columns = Object.entries<StoredField<unknown>>(fields).map(([name, field]) => ({
    name,
    column: otherNames.get(name) ?? snakeCase(name),
    field,
  }));
  const types = Object.fromEntries(columns.map(({ name, field }) => [name, field.type]));
  return {
    /** A SELECT list. @param table its alias, with the dot. */
    columns: (table = '') =>
      columns.map(({ name, column, field }) => `${field.sql(table + column)} AS ${name}`).join(', '),
    row: z.object(types) as unknown as z.ZodObject<{ [Name in keyof Given]: Given[Name]['type'] }>,
    /** A row of the table. */
    toRow(values: Values<Given>): Record<string, RowValue> {
      const given = new Map(Object.entries(values));
      return Object.fromEntries(
        columns.map(({ name, column, field }) => [column, field.write(given.get(name))]),
      );
    },
  };
}

/** Renames the values' keys to column names. */
export function inSnakeCase(values: Readonly<Record<string, RowValue>>): Record<string, RowValue> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [snakeCase(name), value]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

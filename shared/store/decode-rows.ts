import type { z } from 'zod';
import type { CompactAnswer } from './compact-answer.js';

/** Turns the rows of an answer, which are arrays, into objects of the statement's row schema. */

type Data = CompactAnswer['data'];

/** Named by a schema of ours, never by a text from outside. */
type SchemaName = string & { readonly ofSchema: true };

interface Column {
  readonly name: SchemaName;
  /** Its place in the answer. */
  readonly at: number;
  readonly schema: z.ZodType;
  /** Values of this type need no further check; null: the schema parses every value. */
  readonly plain: 'string' | 'number' | 'boolean' | null;
}

/**
 * Makes the decoder of one answer.
 *
 * An object schema is not run itself. Zod generates and compiles code at the first use of an object schema, which costs about a
 * millisecond, and composed statements have a new one for each call.
 * @returns a function that throws ZodError if a row has another shape
 */
export function createRowDecoder<Row>(
  meta: CompactAnswer['meta'],
  row: z.ZodType<Row>,
): (data: Data) => Row[] {
  const names = meta.map(({ name }) => name);
  const toObject = (values: readonly unknown[]) =>
    Object.fromEntries(names.map((name, at) => [name, values[at]]));
  const columns = columnsOf(names, row);
  if (columns === null) return (data) => data.map((values) => row.parse(toObject(values)));
  const blank: Record<string, unknown> = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const decode = (values: readonly unknown[]) => {
    // A copy has the hidden class of the other rows from its start.
    const decoded = { ...blank };
    for (const { name, at, schema, plain } of columns) {
      const value = values[at];
      if (typeof value === plain) decoded[name] = value;
      else {
        const parsed = schema.safeParse(value);
        // The error of the whole row names the column.
        if (!parsed.success) return row.parse(toObject(values));
        decoded[name] = parsed.data;
      }
    }
    return decoded as Row;
  };
  return (data) => data.map(decode);
}

/** The columns in the order of the schema; null: only the schema itself can parse a row. */
function columnsOf(names: readonly string[], row: z.ZodType): Column[] | null {
  const { type, shape, checks = [], catchall } = row.def as Definition;
  if (type !== 'object' || shape === undefined || checks.length > 0 || catchall !== undefined) return null;
  const columns = Object.entries(shape).map(([name, schema]) => ({
    ...{ name: name as SchemaName, schema, at: names.indexOf(name), plain: plainTypeOf(schema) },
  }));
  return columns.some(({ at }) => at === -1) ? null : columns;
}

/** The part of zod's definitions that differs between schemas. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly checks?: readonly unknown[];
  readonly catchall?: unknown;
  readonly coerce?: boolean;
  /** A further condition, such as that of `z.int()`. */
  readonly format?: string;
}

/** JSON has no NaN and no infinite number, so a number of JSON passes `z.number()`. */
function plainTypeOf(schema: z.ZodType): Column['plain'] {
  const { type, checks = [], coerce, format } = schema.def as Definition;
  if (checks.length > 0 || coerce === true || format !== undefined) return null;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : null;
}

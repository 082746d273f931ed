import { z } from 'zod';
import type { ClickHouseReader, Query, QueryParameter } from '../../store/client.js';

/**
 * Reads the few rows of several statements in one. Even an empty statement costs the engine and this process some milliseconds.
 */

/** Parameters of the same name have the same value. */
export type Part<Row> = Pick<Query<Row>, 'sql' | 'params' | 'row' | 'restsOn'>;

const composed = z.object({ part: z.number(), rows: z.array(z.string()) });

/**
 * @param parts null: has no rows. They rest on the same data.
 * @returns the rows of each part, in its order
 * @throws as ClickHouseReader.read
 */
export async function readTogether<const Parts extends readonly (Part<unknown> | null)[]>(
  reader: ClickHouseReader,
  name: string,
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: RowsOf<Parts[Index]> }> {
  const sent = parts.flatMap((part, index) => (part === null ? [] : [{ ...part, index }]));
  const found = sent.length === 0 ? [] : await reader.read({ name, ...compose(sent) });
  return parts.map((part, index) => {
    const rows = found.find((one) => one.part === index)?.rows ?? [];
    return rows.map((text) => part!.row.parse(JSON.parse(text)));
  }) as never;
}

type RowsOf<Given> = Given extends Part<infer Row> ? Row[] : never[];

function compose(parts: readonly (Part<unknown> & { readonly index: number })[]) {
  const params = new Map<string, QueryParameter>();
  for (const part of parts)
    for (const [name, value] of Object.entries(part.params)) {
      if (params.has(name) && JSON.stringify(params.get(name)) !== JSON.stringify(value))
        throw new Error(`the parameter ${name} has two values`);
      params.set(name, value);
    }
  return {
    // Rows as JSON: the parts have other columns, and a UNION has one form.
    sql: parts
      .map(
        ({ sql, index }) =>
          `SELECT ${index} AS part, groupArray(formatRowNoNewline('JSONEachRow', *)) AS rows FROM (${sql})`,
      )
      .join('\nUNION ALL\n'),
    params: Object.fromEntries(params),
    row: composed,
    restsOn: parts[0]!.restsOn,
  };
}

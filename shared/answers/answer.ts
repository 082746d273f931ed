import type { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../clickhouse/client.js';
import type { Rollup } from '../queries/rollups.js';
import type { Scope } from '../queries/scope.js';

/**
 * An answer: its schema, with the units and meaning of each figure, and how it is read. It is the only place where its figures
 * are worked out; the API, exports, reports and checks call the same value.
 */
export interface Answer<Shape extends z.ZodRawShape, Input> {
  readonly schema: z.ZodObject<Shape>;
  /** The tables of each of its questions. Filters that these don't hold send a question to the raw rows (queries/source.ts). */
  readonly from: readonly (readonly [Rollup, ...Rollup[]])[];
  /** @throws as ClickHouseReader.read */
  read(reader: ClickHouseReader, scope: Scope, input: Input): Promise<z.input<z.ZodObject<Shape>>>;
  /**
   * The second half of an answer whose first comes from rollups: it reads raw rows of the whole window, whatever the filters. What it
   * fills in `read` leaves null.
   * @param told what `read` told; it comes back with the rest filled in.
   * @throws as ClickHouseReader.read
   */
  complete?(
    reader: ClickHouseReader,
    scope: Scope,
    input: Input,
    told: z.input<z.ZodObject<Shape>>,
  ): Promise<z.input<z.ZodObject<Shape>>>;
}

/** Gives the compiler the types of an answer. */
export function answer<Shape extends z.ZodRawShape, Input = unknown>(
  value: Answer<Shape, Input>,
): Answer<Shape, Input> {
  return value;
}

import type { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import type { Rollup } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';

/**
 * An answer: its schema, with the units and meaning of each figure, and how it is read. It is the only place where its figures
 * are worked out; the API, exports, reports and checks call the same value.
 */
export interface Answer<Shape extends z.ZodRawShape, Input> {
  readonly schema: z.ZodObject<Shape>;
  /**
   * The tables of each of its questions. Filters that these don't hold send a question to the raw rows (sql/table-source.ts). Empty where
   * filters decide nothing: all of it is read from raw rows, or `read` heeds none.
   */
  readonly from: readonly (readonly [Rollup, ...Rollup[]])[];
  read(reader: ClickHouseReader, scope: Scope, input: Input): Promise<z.input<z.ZodObject<Shape>>>;
  /**
   * The second half of an answer whose first comes from rollups: it reads raw rows of the whole window, whatever the filters. What it
   * fills in `read` leaves null.
   * @param told what `read` told; it comes back with the rest filled in.
   */
  complete?(
    reader: ClickHouseReader,
    scope: Scope,
    input: Input,
    told: z.input<z.ZodObject<Shape>>,
  ): Promise<z.input<z.ZodObject<Shape>>>;
}

/** An answer that takes no window: it is of the moment at which it is asked for. As {@link Answer} in everything else. */
export interface StandaloneAnswer<Shape extends z.ZodRawShape, Input> {
  readonly schema: z.ZodObject<Shape>;
  read(reader: ClickHouseReader, asked: Asked, input: Input): Promise<z.input<z.ZodObject<Shape>>>;
}

/** Of what and when an answer without a window is asked for. */
export interface Asked {
  readonly websiteId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Gives the compiler the types of an answer without a window. */
export function standaloneAnswer<Shape extends z.ZodRawShape, Input>(
  value: StandaloneAnswer<Shape, Input>,
): StandaloneAnswer<Shape, Input> {
  return value;
}

/** Gives the compiler the types of an answer. */
export function answer<Shape extends z.ZodRawShape, Input = unknown>(
  value: Answer<Shape, Input>,
): Answer<Shape, Input> {
  return value;
}

import type { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import type { Rollup } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';

/**
 * An answer: its schema, with the unit and meaning of each figure, and its read. Only an answer computes its figures; the API, exports,
 * reports and checks call the same value.
 */
export interface Answer<Shape extends z.ZodRawShape, Input> {
  readonly schema: z.ZodObject<Shape>;
  /**
   * For each question of the answer, the rollups that can answer it. A filter that these tables do not have sends a question to the raw
   * rows (sql/table-source.ts). Empty if filters do not matter: all rows are raw, or `read` ignores filters.
   */
  readonly from: readonly (readonly [Rollup, ...Rollup[]])[];
  read(reader: ClickHouseReader, scope: Scope, input: Input): Promise<z.input<z.ZodObject<Shape>>>;
  /**
   * The second half of an answer whose first half comes from rollups. It reads raw rows of the whole window, with any filters, and fills in
   * the fields that `read` left null.
   * @param firstHalf the result of `read`; it is returned with the remaining fields.
   */
  complete?(
    reader: ClickHouseReader,
    scope: Scope,
    input: Input,
    firstHalf: z.input<z.ZodObject<Shape>>,
  ): Promise<z.input<z.ZodObject<Shape>>>;
}

/** An answer without a window: it describes the moment of the call. Otherwise like {@link Answer}. */
export interface StandaloneAnswer<Shape extends z.ZodRawShape, Input> {
  readonly schema: z.ZodObject<Shape>;
  read(reader: ClickHouseReader, scope: Asked, input: Input): Promise<z.input<z.ZodObject<Shape>>>;
}

/** The website and time of an answer without a window. */
export interface Asked {
  readonly websiteId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Infers the types of an answer without a window. */
export function standaloneAnswer<Shape extends z.ZodRawShape, Input>(
  value: StandaloneAnswer<Shape, Input>,
): StandaloneAnswer<Shape, Input> {
  return value;
}

/** Infers the types of an answer. */
export function answer<Shape extends z.ZodRawShape, Input = unknown>(
  value: Answer<Shape, Input>,
): Answer<Shape, Input> {
  return value;
}

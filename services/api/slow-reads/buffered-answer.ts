import { z } from '@hono/zod-openapi';
import {
  type ClickHouseReader,
  type ScanOptions,
  StoreTimeoutError,
} from '../../../shared/clickhouse/client.js';
import type { ApiServices } from '../operation.js';

/** Answers that may need all raw rows of a long window: what they say while the read goes on (answer-or-buffer.ts). */

export const dataBuffering = z.boolean().openapi({
  description:
    'true: the query is still running; counts are 0 and lists empty. Repeat the same call: it returns the finished result.',
});

export interface BufferedRead<Answer> {
  /** false: rollups or a few rows answer it, and the caller waits for them. */
  readonly mayTakeLong: boolean;
  /** The organisation that asks. */
  readonly owner: string;
  /** What the rules of segments allow (shared/queries/segments.ts); default: the engine's own choice. */
  readonly blockRows?: number | undefined;
  /** JSON; names the question: who asks and everything that changes the answer. Hours as hours, so that a repeat is the same question. */
  readonly question: unknown;
  /** Everything it reads goes through the reader that it is given, which knows how long it may take. */
  read(reader: ClickHouseReader): Promise<Answer>;
  /** The answer as it is while the read goes on. */
  empty(): Answer;
}

export async function answerOrBuffer<Answer extends object>(
  { reader, slowReads }: ApiServices,
  { mayTakeLong, owner, blockRows, question, read, empty }: BufferedRead<Answer>,
): Promise<Answer & { data_buffering: boolean }> {
  if (!mayTakeLong) return { ...(await read(reader)), data_buffering: false };
  const found = await slowReads.answer(JSON.stringify(question), owner, (timeLeft) =>
    read(scanningReader(reader, timeLeft, { blockRows })),
  );
  return found.ready ? { ...found.value, data_buffering: false } : { ...empty(), data_buffering: true };
}

/** What is read through it are scans, which have so much time together. @throws StoreTimeoutError when there is none left. */
export function scanningReader(
  reader: ClickHouseReader,
  timeLeft: () => number,
  scan: ScanOptions = {},
): ClickHouseReader {
  return {
    async read(query) {
      const timeoutMs = timeLeft();
      if (timeoutMs <= 0) throw new StoreTimeoutError('the statements before took all the time there is');
      return reader.read({ ...query, timeoutMs, scan: { ...scan, ...query.scan } });
    },
  };
}

/**
 * What a schema allows when nothing was counted: counts 0, the unknown null, lists and maps empty, text ''.
 * @param known what is there all the same, by its path in the answer (`previous.window`).
 */
export function emptyAnswer<Schema extends z.ZodType>(
  schema: Schema,
  known: Readonly<Record<string, unknown>>,
): z.input<Schema> {
  return emptyValue(schema, '', known) as z.input<Schema>;
}

function emptyValue(schema: unknown, path: string, known: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(known, path)) return known[path];
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [
      name,
      emptyValue(field, path === '' ? name : `${path}.${name}`, known),
    ]);
    return Object.fromEntries(fields);
  }
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodNumber) return 0;
  if (schema instanceof z.ZodString) return '';
  throw new Error(`${path}: there is no empty form of it`);
}

import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../../shared/clickhouse/client.js';
import type { ApiServices } from '../operation.js';

/** Answers that may need all raw rows of a long window: what they say while the read goes on (answer-or-buffer.ts). */

export const dataBuffering = z.boolean().openapi({
  description:
    'true: the query is still running; counts are 0 and lists empty. Repeat the same call: it returns the finished result.',
});

export interface BufferedRead<Answer> {
  /** false: rollups or a few rows answer it, and the caller waits for them. */
  readonly mayTakeLong: boolean;
  /** JSON; names the question: who asks and everything that changes the answer. Hours as hours, so that a repeat is the same question. */
  readonly question: unknown;
  /** Everything it reads goes through the reader that it is given, which knows how long it may take. */
  read(reader: ClickHouseReader): Promise<Answer>;
  /** The answer as it is while the read goes on. */
  empty(): Answer;
}

export async function answerOrBuffer<Answer extends object>(
  { reader, slowReads }: ApiServices,
  { mayTakeLong, question, read, empty }: BufferedRead<Answer>,
): Promise<Answer & { data_buffering: boolean }> {
  if (!mayTakeLong) return { ...(await read(reader)), data_buffering: false };
  const found = await slowReads.answer(JSON.stringify(question), (timeoutMs) =>
    read({ read: (query) => reader.read({ ...query, timeoutMs }) }),
  );
  return found.ready ? { ...found.value, data_buffering: false } : { ...empty(), data_buffering: true };
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
  if (path in known) return known[path];
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

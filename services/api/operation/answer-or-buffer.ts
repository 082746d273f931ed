import { z } from '@hono/zod-openapi';
import type { ClickHouseReader, ScanOptions } from '../../../shared/store/client.js';
import { StoreTimeoutError } from '../../../shared/store/store-errors.js';
import type { Slow } from '../slow-reads/slow-reads.js';
import type { ApiServices } from './operation.js';

/** Answers that may need all raw rows of a long window: what they say while the read goes on (slow-reads.ts). */

const REPEAT = 'Repeat the same call after Retry-After: it returns the finished result.';
const dataBuffering = z.boolean();
const SECOND_HALF = 'true: a query is still running, and what it will tell is null: the figures that say so';
/** What is null while a read goes on: all of an answer; its second half or all of it, by the filters; its second half alone. */
const bufferings = {
  whole: 'true: the query is still running, and everything but the window is null',
  either: `${SECOND_HALF}, or, with filters that need single requests, everything but the window`,
  secondHalf: SECOND_HALF,
} as const;

/** What an answer looks like to callers: each field may be null while the read goes on, but those named in `known`. */
export function bufferedSchema<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  known: readonly string[] = ['window'],
  buffering: keyof typeof bufferings = 'whole',
): z.ZodObject<Buffered<Shape>> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    known.includes(name) ? field : (field as z.ZodType).nullable(),
  ]);
  return z.object({
    ...Object.fromEntries(fields),
    data_buffering: dataBuffering.openapi({ description: `${bufferings[buffering]}. ${REPEAT}` }),
  }) as never;
}

type Buffered<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: z.ZodNullable<Shape[Name]>;
} & { data_buffering: typeof dataBuffering };

export interface BufferedRead<Answer extends object> {
  /** false: rollups or a few rows answer it, and the caller waits for them. */
  readonly mayTakeLong: boolean;
  /** The organisation that asks. */
  readonly owner: string;
  /** What the rules of segments allow (shared/reads/sql/segment-conditions.ts); default: the engine's own choice. */
  readonly blockRows?: number | undefined;
  /** JSON; names the question: who asks and everything that changes the answer. Hours as hours, so that a repeat is the same question. */
  readonly question: unknown;
  /** Everything it reads goes through the reader that it is given, which knows how long it may take. */
  read(reader: ClickHouseReader): Promise<Answer>;
  readonly schema: z.ZodObject;
  /** What is known while the read goes on. */
  readonly known: Partial<Answer>;
  /** How long the caller waits at most; default: the deadline. */
  readonly patienceMs?: number | undefined;
  /** It mostly ends within a second, and is read as `quickOrSlow` does it: with the engine's own choice of rows. */
  readonly mostlyQuick?: boolean;
}

/** What names a question among the reads that go on. @param question as {@link BufferedRead.question}. */
export function keyOf(question: unknown): string {
  return JSON.stringify(question);
}

export async function answerOrBuffer<Answer extends object>(
  services: ApiServices,
  asked: BufferedRead<Answer>,
): Promise<{ [Name in keyof Answer]: Answer[Name] | null } & { data_buffering: boolean }> {
  const { mayTakeLong, owner, blockRows, question, read, schema, known, patienceMs, mostlyQuick } = asked;
  const { reader, slowReads } = services;
  if (!mayTakeLong) return { ...(await read(reader)), data_buffering: false };
  const key = keyOf(question);
  const found = mostlyQuick
    ? await quickOrSlow(services, { owner, key, read })
    : await slowReads.answer(
        key,
        owner,
        (timeLeft) => read(scanningReader(reader, timeLeft, { blockRows })),
        patienceMs,
      );
  if (found.ready) return { ...found.value, data_buffering: false };
  const nothing = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, null]));
  return { ...(nothing as Record<keyof Answer, null>), ...known, data_buffering: true };
}

/** Longest that a search may take among everyday reads. Most find their rows in milliseconds, by the order of the table. */
const QUICK_MS = 1_000;

/**
 * A search that mostly ends at its first rows: it is tried as an everyday read, and becomes a scan, which waits for scans of others, only
 * where that does not end in time. Again asked, it goes where it is already read.
 */
export async function quickOrSlow<T>(
  { reader, slowReads }: ApiServices,
  { owner, key, read }: { owner: string; key: string; read(reader: ClickHouseReader): Promise<T> },
): Promise<Slow<T>> {
  if (!slowReads.isUnderWay(key)) {
    try {
      return { ready: true, value: await read(withTimeout(reader, QUICK_MS)) };
    } catch (error) {
      if (!(error instanceof StoreTimeoutError)) throw error;
    }
  }
  return slowReads.answer(key, owner, (timeLeft) => read(scanningReader(reader, timeLeft)));
}

function withTimeout(reader: ClickHouseReader, timeoutMs: number): ClickHouseReader {
  return { read: (query) => reader.read({ ...query, timeoutMs }) };
}

/** What is read through it are scans, which have so much time together. @throws StoreTimeoutError when there is none left. */
function scanningReader(
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

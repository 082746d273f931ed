import { z } from '@hono/zod-openapi';
import type { ClickHouseReader, ScanOptions } from '../../../shared/store/client.js';
import { StoreTimeoutError } from '../../../shared/store/store-errors.js';
import type { Slow } from '../slow-reads/slow-reads.js';
import type { ApiServices } from './operation.js';

/** Answers that may need all raw rows of a long window, and their form while the read continues (slow-reads.ts). */

const REPEAT = 'Repeat the same call after Retry-After to get the result.';
const dataBuffering = z.boolean();
const SECOND_HALF = 'true: a query is still running, and its figures are null';
/** The fields that are null while the read continues: all; all or the second half, depending on the filters; only the second half. */
const bufferings = {
  whole: 'true: the query is still running, and all fields but the window are null',
  either: `${SECOND_HALF}, or, with filters that need single requests, all fields but the window`,
  secondHalf: SECOND_HALF,
} as const;

/** The schema for callers: all fields except those in `knownFields` may be null while the read continues. */
export function bufferedSchema<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  knownFields: readonly string[] = ['window'],
  buffering: keyof typeof bufferings = 'whole',
): z.ZodObject<Buffered<Shape>> {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    knownFields.includes(name) ? field : (field as z.ZodType).nullable(),
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
  /** false: rollups or a few rows are enough, and the caller waits for the answer. */
  readonly mayTakeLong: boolean;
  /** Organisation of the caller. */
  readonly owner: string;
  /** Limit from the rules of segments (shared/reads/sql/segment-conditions.ts); default: the engine's choice. */
  readonly blockRows?: number | undefined;
  /** JSON that identifies the question: caller and everything that changes the answer. `hours` stay hours, so that a repeat matches. */
  readonly question: unknown;
  /** Must use the given reader, which has the time limit. */
  read(reader: ClickHouseReader): Promise<Answer>;
  readonly schema: z.ZodObject;
  /** Fields that are known while the read continues. */
  readonly knownPart: Partial<Answer>;
  /** Maximum wait of the caller; default: the deadline. */
  readonly patienceMs?: number | undefined;
  /** Usually ends within a second, so it is tried like in `quickOrSlow`, with the engine's choice of block size. */
  readonly mostlyQuick?: boolean;
}

/** Key of a question among the running reads. @param question as {@link BufferedRead.question}. */
export function keyOf(question: unknown): string {
  return JSON.stringify(question);
}

export async function answerOrBuffer<Answer extends object>(
  services: ApiServices,
  options: BufferedRead<Answer>,
): Promise<{ [Name in keyof Answer]: Answer[Name] | null } & { data_buffering: boolean }> {
  const { mayTakeLong, owner, blockRows, question, read, schema, knownPart, patienceMs, mostlyQuick } =
    options;
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
  return { ...(nothing as Record<keyof Answer, null>), ...knownPart, data_buffering: true };
}

/** Maximum duration of a search as an everyday read. Most find their rows in milliseconds through the primary key. */
const QUICK_MS = 1_000;

/**
 * For a search that usually ends at its first rows. It is first tried as an everyday read. If that does not end in time, it becomes a
 * scan, which waits for other scans. A repeated call joins the running scan.
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

function withTimeout<R extends ClickHouseReader>(reader: R, timeoutMs: number): R {
  return { ...reader, read: (query) => reader.read({ ...query, timeoutMs }) };
}

/** A reader for scans, which share one time budget. @throws StoreTimeoutError when no time is left. */
function scanningReader<R extends ClickHouseReader>(
  reader: R,
  timeLeft: () => number,
  scan: ScanOptions = {},
): R {
  return {
    ...reader,
    async read(query) {
      const timeoutMs = timeLeft();
      if (timeoutMs <= 0) throw new StoreTimeoutError('previous statements used all the time');
      return reader.read({ ...query, timeoutMs, scan: { ...scan, ...query.scan } });
    },
  };
}

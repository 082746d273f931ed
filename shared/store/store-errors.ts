import { type DamagedPart, damagedPart, daysInWords } from './damaged-part.js';

/** How a statement fails, in our own terms: no caller reads the engine's error codes. */

/** ClickHouse can't be reached, or turns work away for now. */
export class StoreUnavailableError extends Error {}
/** It is there, and has as much to do as it takes at once. */
export class StoreBusyError extends StoreUnavailableError {}
/** All statements together hold as much memory as they may. */
export class StoreOutOfMemoryError extends StoreUnavailableError {}
/** RE2 can't compile a pattern; the message is the engine's. */
export class InvalidRegexError extends Error {}
/** The statement ran out of its time. An insert may still have happened: repeat it with its token. */
export class StoreTimeoutError extends Error {}
/** The answer has more rows or bytes than a read may bring into this process. */
export class AnswerTooLongError extends Error {}
/** The statement needs more memory than one may take in the engine: it fails again when it is repeated. */
export class ReadTooLargeError extends Error {}

/** Files of the store are damaged or missing, and the statement needs rows of them: it fails again until they are restored. */
export class StoreDamagedError extends Error {
  readonly part: DamagedPart;
  /** In words: a day, some days or a month (UTC); null where the part is of no days. */
  readonly days: string | null;

  constructor(part: DamagedPart, { days, cause }: { readonly days: string | null; readonly cause: unknown }) {
    super(`stored data ${days === null ? '' : `of ${days} `}is damaged (part ${part.tableId}/${part.name})`, {
      cause,
    });
    this.part = part;
    this.days = days;
  }
}

/** Whether the question is too much for one read, in time, memory or length: put again it is, too. */
export function isTooMuchForOneRead(error: unknown): boolean {
  return (
    error instanceof StoreTimeoutError ||
    error instanceof ReadTooLargeError ||
    error instanceof AnswerTooLongError
  );
}

/** What was read; null where the answer has more rows or bytes than the read allows, so that the question can be put in another way. */
export function unlessTooLong<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof AnswerTooLongError) return null;
    throw error;
  });
}

/** The caller gave the read up (`signal`). */
export class ReadEndedError extends Error {}
/** The caller gave the insert up (`signal`). It may still have happened. */
export class InsertEndedError extends Error {}

/** Codes of ClickHouse: TIMEOUT_EXCEEDED and TOO_SLOW. */
const timeoutCodes = new Set(['159', '160']);
/** TOO_MANY_SIMULTANEOUS_QUERIES */
const BUSY_CODE = '202';
/** SOCKET_TIMEOUT, NETWORK_ERROR, ABORTED (stopping), CANNOT_SCHEDULE_TASK, ALL_CONNECTION_TRIES_FAILED. */
const unavailableCodes = new Set(['209', '210', '236', '439', '279']);
/** MEMORY_LIMIT_EXCEEDED */
const MEMORY_CODE = '241';
/** How the engine says that the limit was the statement's own, and not that of all statements together. */
const ownMemoryLimit = /\bquery memory limit exceeded|memory limit \(for query\) exceeded/i;
/** TOO_MANY_ROWS_OR_BYTES */
const TOO_LONG_CODE = '396';
/** CANNOT_COMPILE_REGEXP */
const REGEX_CODE = '427';
/** Of Node: E… of the system, UND_… of undici. */
const connectionCode = /^(E[A-Z_]+|UND_)/;

/** A failure of the client as one of the above; what is none of them comes back as it is. */
export function translate(error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') return error;
  const part = damagedPart(code, String((error as { message?: unknown }).message));
  if (part !== null) return new StoreDamagedError(part, { days: daysInWords(part, null), cause: error });
  if (timeoutCodes.has(code)) return timeout(error);
  if (code === BUSY_CODE) return new StoreBusyError('ClickHouse is busy', { cause: error });
  if (unavailableCodes.has(code))
    return new StoreUnavailableError('ClickHouse is not ready', { cause: error });
  if (code === TOO_LONG_CODE) return new AnswerTooLongError('the answer is too long', { cause: error });
  if (code === MEMORY_CODE) return outOfMemory(error as Error);
  if (code === REGEX_CODE) return new InvalidRegexError((error as Error).message, { cause: error });
  if (connectionCode.test(code)) {
    return new StoreUnavailableError('ClickHouse is not reachable', { cause: error });
  }
  return error;
}

/** Of all statements: it is over when others have ended. Of one: never. */
function outOfMemory(error: Error): Error {
  return ownMemoryLimit.test(error.message)
    ? new ReadTooLargeError('the statement needs too much memory', { cause: error })
    : new StoreOutOfMemoryError('ClickHouse is out of memory', { cause: error });
}

/**
 * What a failed insert says of its rows. `store`: nothing, the store could not or would not take any. `rows`: the store
 * read them and refused them. `unknown`: either.
 */
export type InsertBlame = 'store' | 'rows' | 'unknown';

/**
 * Codes of ClickHouse that no row brings about: what lacks in the schema, in rights or settings (16, 60, 81, 115, 192-194, 452,
 * 497, 516), in room, memory or parts (74, 75, 76, 173, 241, 243, 252), in replicas (225, 242, 285-287, 319, 999), or a statement
 * that was stopped (394), or a read-only user (164).
 */
const storeCodes = new Set(
  [16, 60, 74, 75, 76, 81, 115, 164, 173, 192, 193, 194, 225, 241, 242, 243, 252, 285, 286, 287, 319, 394]
    .concat([452, 497, 516, 999])
    .map(String),
);
/**
 * Codes of ClickHouse that rows bring about: a body that can't be parsed (6, 26, 27, 33, 38, 41, 72, 117), values that fit no column
 * or function (43, 53, 69, 70, 128, 131, 321, 349, 395, 407, 469), a body too long (307).
 */
const rowCodes = new Set(
  [6, 26, 27, 33, 38, 41, 43, 53, 69, 70, 72, 117, 128, 131, 307, 321, 349, 395, 407, 469].map(String),
);

/** @param error what `insert` threw */
export function blameOf(error: unknown): InsertBlame {
  if (
    error instanceof StoreUnavailableError ||
    error instanceof StoreTimeoutError ||
    error instanceof StoreDamagedError ||
    error instanceof ReadTooLargeError
  )
    return 'store';
  const code = String((error as { code?: unknown } | null)?.code);
  if (storeCodes.has(code)) return 'store';
  return rowCodes.has(code) ? 'rows' : 'unknown';
}

export function timeout(cause: unknown): StoreTimeoutError {
  return new StoreTimeoutError('ClickHouse ran out of time', { cause });
}

/** Whether the connection failed with one of these codes of the system. */
export function failedWith(error: unknown, codes: readonly string[]): boolean {
  const cause = error instanceof StoreUnavailableError ? (error.cause as { code?: string }) : undefined;
  return codes.includes(cause?.code ?? '');
}

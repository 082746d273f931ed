import { type DamagedPart, damagedPart, daysInWords } from './damaged-part.js';

/** Failures of statements in our own terms: no caller reads the engine's error codes. */

/** ClickHouse is unreachable or temporarily refuses work. */
export class StoreUnavailableError extends Error {}
/** ClickHouse is reachable, but at its limit of concurrent work. */
export class StoreBusyError extends StoreUnavailableError {}
/** All statements together have reached the memory limit. */
export class StoreOutOfMemoryError extends StoreUnavailableError {}
/** RE2 cannot compile a pattern; the message is the engine's. */
export class InvalidRegexError extends Error {}
/** The statement exceeded its time limit. An insert may still have happened: repeat it with its token. */
export class StoreTimeoutError extends Error {}
/** The answer has more rows or bytes than a read allows. */
export class AnswerTooLongError extends Error {}
/** The statement exceeds the engine's memory limit for one statement. A retry fails too. */
export class ReadTooLargeError extends Error {}

/** Files of the store are damaged or missing, and the statement needs their rows. It fails until they are restored. */
export class StoreDamagedError extends Error {
  readonly part: DamagedPart;
  /** As text: a day, a range of days or a month (UTC); null if the part has no days. */
  readonly days: string | null;

  constructor(part: DamagedPart, { days, cause }: { readonly days: string | null; readonly cause: unknown }) {
    super(`stored data ${days === null ? '' : `of ${days} `}is damaged (part ${part.tableId}/${part.name})`, {
      cause,
    });
    this.part = part;
    this.days = days;
  }
}

/** Whether the query exceeds the limits of one read in memory or length. A retry fails too. */
export function isTooLargeToRead(error: unknown): boolean {
  return error instanceof ReadTooLargeError || error instanceof AnswerTooLongError;
}

/** Whether the query exceeds the limits of one read in time, memory or length. A retry would fail too. */
export function isTooMuchForOneRead(error: unknown): boolean {
  return error instanceof StoreTimeoutError || isTooLargeToRead(error);
}

/**
 * The result; null if the answer has more rows or bytes than the read allows, so that the caller can query differently.
 */
export function unlessTooLong<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof AnswerTooLongError) return null;
    throw error;
  });
}

/** The caller cancelled the read (`signal`). */
export class ReadEndedError extends Error {}
/** The caller cancelled the insert (`signal`). It may still have happened. */
export class InsertEndedError extends Error {}

/** ClickHouse's codes TIMEOUT_EXCEEDED and TOO_SLOW. */
const timeoutCodes = new Set(['159', '160']);
/** TOO_MANY_SIMULTANEOUS_QUERIES */
const BUSY_CODE = '202';
/** SOCKET_TIMEOUT, NETWORK_ERROR, ABORTED (stopping), CANNOT_SCHEDULE_TASK, ALL_CONNECTION_TRIES_FAILED. */
const unavailableCodes = new Set(['209', '210', '236', '439', '279']);
/** MEMORY_LIMIT_EXCEEDED */
const MEMORY_CODE = '241';
/** The engine's message if the statement's own limit was exceeded, not that of all statements. */
const ownMemoryLimit = /\bquery memory limit exceeded|memory limit \(for query\) exceeded/i;
/** TOO_MANY_ROWS_OR_BYTES */
const TOO_LONG_CODE = '396';
/** CANNOT_COMPILE_REGEXP */
const REGEX_CODE = '427';
/** Codes of Node: E… of the system, UND_… of undici. */
const connectionCode = /^(E[A-Z_]+|UND_)/;

/** Converts a failure of the client to one of the errors above; returns any other error unchanged. */
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

/** Exceeding the memory of one statement is permanent; exceeding the memory of the server is temporary. */
function outOfMemory(error: Error): Error {
  return ownMemoryLimit.test(error.message)
    ? new ReadTooLargeError('the statement needs too much memory', { cause: error })
    : new StoreOutOfMemoryError('ClickHouse is out of memory', { cause: error });
}

/**
 * Cause of a failed insert. `store`: the store could not accept any rows. `rows`: the store read the rows and refused
 * them. `unknown`: either.
 */
export type InsertBlame = 'store' | 'rows' | 'unknown';

/**
 * ClickHouse's codes that rows cannot cause:
 * - faults of the schema, rights or settings: 16, 60, 81, 115, 192-194, 452, 497, 516
 * - lack of disk space or memory, or too many parts: 74, 75, 76, 173, 241, 243, 252
 * - faults of replicas: 225, 242, 285-287, 319, 999
 * - a cancelled statement: 394
 * - a read-only user: 164
 */
const storeCodes = new Set(
  [16, 60, 74, 75, 76, 81, 115, 164, 173, 192, 193, 194, 225, 241, 242, 243, 252, 285, 286, 287, 319, 394]
    .concat([452, 497, 516, 999])
    .map(String),
);
/**
 * ClickHouse's codes that rows cause:
 * - an unparsable body: 6, 26, 27, 33, 38, 41, 72, 117
 * - values that do not fit a column or function: 43, 53, 69, 70, 128, 131, 321, 349, 395, 407, 469
 * - a body that is too long: 307
 */
const rowCodes = new Set(
  [6, 26, 27, 33, 38, 41, 43, 53, 69, 70, 72, 117, 128, 131, 307, 321, 349, 395, 407, 469].map(String),
);

/** @param error thrown by `insert` */
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

/** Whether the connection failed with one of these system codes. */
export function failedWith(error: unknown, codes: readonly string[]): boolean {
  const cause = error instanceof StoreUnavailableError ? (error.cause as { code?: string }) : undefined;
  return codes.includes(cause?.code ?? '');
}

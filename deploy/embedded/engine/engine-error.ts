/** A failure as ClickHouse reports it: a code, a name and a text. */
export class EngineError extends Error {
  readonly code: number;
  /** The text without code and name. */
  readonly reason: string;

  constructor(code: number, name: string, text: string) {
    super(`Code: ${code}. DB::Exception: ${text}. (${name})`);
    this.code = code;
    this.reason = text;
  }
}

export const badArguments = (text: string) => new EngineError(36, 'BAD_ARGUMENTS', text);
export const syntaxError = (text: string) => new EngineError(62, 'SYNTAX_ERROR', text);
export const notImplemented = (text: string) => new EngineError(48, 'NOT_IMPLEMENTED', text);
export const badParameter = (text: string) => new EngineError(457, 'BAD_QUERY_PARAMETER', text);
export const missingParameter = (text: string) => new EngineError(456, 'UNKNOWN_QUERY_PARAMETER', text);
export const unknownDatabase = (text: string) => new EngineError(81, 'UNKNOWN_DATABASE', text);
export const tooManyQueries = (text: string) => new EngineError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', text);
export const authenticationFailed = (text: string) => new EngineError(516, 'AUTHENTICATION_FAILED', text);
export const tooLong = (bytes: number) =>
  new EngineError(307, 'TOO_MANY_BYTES', `The body is longer than ${bytes} bytes`);
export const readOnly = (text: string) => new EngineError(164, 'READONLY', text);
export const aborted = (text: string) => new EngineError(236, 'ABORTED', text);

/** Converts any failure to an EngineError. Errors of the engine keep the code at the start of their text. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const engineError = new EngineError(
    Number(/Code:\s*(\d+)/.exec(text)?.[1] ?? 1002),
    'UNKNOWN_EXCEPTION',
    text,
  );
  // The engine's texts already contain code and name. A second wrapper would hide the name from clients.
  if (/^Code: \d+\. DB::Exception: /.test(text)) {
    // A NUL in a text ends it. Without a name at the end, clients don't see the code.
    engineError.message = /\([A-Z0-9_]{3,}\)/.test(text) ? text : `${text} (UNKNOWN_EXCEPTION)`;
  }
  return engineError;
}

const codesOf: Record<number, readonly number[]> = {
  400: [6, 26, 27, 36, 38, 41, 43, 53, 62, 69, 72, 117, 349, 427, 456, 457],
  401: [194],
  403: [164, 192, 193, 497, 516],
  404: [16, 46, 47, 50, 56, 60, 63, 73, 81, 115],
  408: [159],
  413: [307],
  501: [48],
  503: [202, 236, 439],
};
const statuses = new Map(
  Object.entries(codesOf).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
);

/** HTTP status of an exception code, as a ClickHouse server returns it (500 for all other codes). */
export function statusOf(code: number): number {
  return statuses.get(code) ?? 500;
}

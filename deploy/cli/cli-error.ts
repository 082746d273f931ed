/** Exit codes of the command line (docs/command-line.md). */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  authentication: 4,
  limit: 5,
  server: 6,
  conditionMet: 7,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with one line on standard error. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  /** Whether the same command may succeed later. */
  readonly retryable: boolean;
  /** Further fields of the error as JSON. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    exitCode: ExitCode,
    {
      retryable = false,
      fields = {},
    }: { retryable?: boolean; fields?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message);
    this.exitCode = exitCode;
    this.retryable = retryable;
    this.fields = fields;
  }
}

export const usageError = (message: string) => new CliError(message, exitCodes.usage);
export const failure = (message: string) => new CliError(message, exitCodes.failure);

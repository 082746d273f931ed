import type { OperationTable } from './table/operation-table.js';

/** A stream that text goes to. Only these parts of it are used. */
export interface Output {
  write(text: string | Uint8Array): boolean;
  once(event: 'drain', listener: () => void): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export interface Input extends AsyncIterable<Buffer | string> {
  readonly isTTY?: boolean | undefined;
}

/** All that the command line has from outside. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly fetch: typeof fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends early, without an error, when the command is interrupted. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  readonly table: OperationTable;
  readonly version: string;
}

/** Variables that agents set in their shells. They get JSON, as do pipes. */
const AGENTS = ['CLAUDECODE', 'CURSOR_AGENT', 'CODEX_SANDBOX', 'GEMINI_CLI', 'AGENT'] as const;

export function isAgent(env: Context['env']): boolean {
  return AGENTS.some((name) => (env[name] ?? '') !== '');
}

import { Readable } from 'node:stream';
import type { Input, Output } from '../../deploy/cli/context.js';
import { run } from '../../deploy/cli/run.js';
import { unpackTable } from '../../deploy/cli/table/operation-table.js';
import { packDocument } from '../../deploy/cli/table/pack-document.js';
import type { Api } from '../../services/api/app.js';
import { document } from '../contract/described.js';

/** The command line in this process, with streams in memory. */

export const operationTable = unpackTable(packDocument(document));

export interface CommandLineOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Input;
  readonly fetch?: typeof fetch;
  /** Whether standard output and error are a terminal. Default: they are not. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly signal?: AbortSignal;
  /** Called with each text on standard output. */
  readonly onOutput?: (text: string) => void;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both outputs, as a terminal gets them. */
  readonly both: string;
}

/** A folder without a file of settings. */
const NO_HOME = '/nonexistent-home-of-the-tests';

export async function runCommandLine(
  words: readonly string[],
  options: CommandLineOptions = {},
): Promise<CommandResult> {
  const { isTerminal = false, columns = 120, stdin = '' } = options;
  const written = { stdout: '', stderr: '', both: '' };
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTTY: isTerminal,
    columns,
    rows: 24,
    once: () => undefined,
    write(text) {
      const read = typeof text === 'string' ? text : Buffer.from(text).toString();
      written[name] += read;
      written.both += read;
      if (name === 'stdout') options.onOutput?.(String(text));
      return true;
    },
  });
  const code = await run(words, {
    env: { HOME: NO_HOME, ...options.env },
    stdin: typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin,
    stdout: output('stdout'),
    stderr: output('stderr'),
    fetch: options.fetch ?? refuseCalls,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? (async () => undefined),
    signal: options.signal ?? new AbortController().signal,
    table: operationTable,
    version: '0.0.0-test',
  });
  return { code, ...written };
}

const refuseCalls: typeof fetch = async (url) => {
  throw new Error(`an unexpected call of ${url}`);
};

export interface SentCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  readonly redirect: Request['redirect'];
}

/** A fetch that answers from a function, and the calls it got. */
export function answering(answer: (call: SentCall) => Response | Promise<Response>) {
  const calls: SentCall[] = [];
  const fetchOf: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const call = {
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      redirect: request.redirect,
      body: Buffer.from(await request.arrayBuffer()).toString('latin1'),
    };
    calls.push(call);
    return answer(call);
  };
  return { calls, fetch: fetchOf };
}

/** A fetch that the API answers in this process. */
export function fetchOf(api: Api): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    return api.request(`${pathname}${search}`, request);
  };
}

import { boundedText } from '../../import/bounded-text.js';
import { refusalOf } from '../http/api-client.js';

/** One JSON-RPC message to `/mcp`, and the messages of its answer: JSON, or frames of server-sent events. */

export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface McpAccess {
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** The version that a session agreed on; null: there is none. */
  readonly protocolVersion: string | null;
}

/** A tool waits for 20 s at most. */
const TIMEOUT_MS = 120_000;
const LONGEST_FRAME = 4 * 1024 ** 2;
/** The field with the version of a message in the stateless era. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** @throws CliError if the instance refuses the message. */
export async function* postMessage(
  message: Message,
  { url, key, fetch, signal, protocolVersion }: McpAccess,
): AsyncGenerator<Message> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersOf(message, protocolVersion),
    },
    body: JSON.stringify(message),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream') && response.body !== null) yield* framesOf(response.body);
  else {
    const text = await boundedText(response, LONGEST_FRAME);
    const answer = parse(text);
    // A refusal of the protocol is an answer too.
    if (answer !== null) yield answer;
    else if (!response.ok) throw refusalOf(response.status, response.headers, text);
  }
}

/** The stateless era repeats parts of the body in headers, and the server compares them. */
function headersOf({ method, params }: Message, agreed: string | null): Record<string, string> {
  const meta = params?._meta as Record<string, unknown> | undefined;
  const version = meta?.[VERSION];
  if (typeof version !== 'string' || method === undefined)
    return agreed === null ? {} : { 'mcp-protocol-version': agreed };
  const name =
    method === 'resources/read'
      ? params?.uri
      : ['tools/call', 'prompts/get'].includes(method)
        ? params?.name
        : undefined;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** Text that a header can't contain is sent in Base64 (SEP-2243). */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const frames = rest.split(/\r?\n\r?\n/);
    rest = frames.pop()!;
    if (rest.length > LONGEST_FRAME) throw new Error('an event of /mcp is too long');
    for (const frame of frames) {
      const data = frame.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      const message = parse(data.map((line) => line.slice(5).trimStart()).join('\n'));
      if (message !== null) yield message;
    }
  }
}

function parse(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'jsonrpc' in value ? (value as Message) : null;
  } catch {
    return null;
  }
}

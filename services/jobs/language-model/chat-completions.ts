import { Agent, request } from 'undici';
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { readRetryAfter } from '../../../shared/fetch/retry-after.js';
import { pause } from '../../../shared/pacing/pause.js';
import { readCompletion, toRequestBody } from './completion-body.js';
import { type Completion, type LanguageModel, ModelError, type Turn } from './language-model.js';

/**
 * A language model behind OpenAI's chat completions over HTTP, which most model servers support. The operator names the server. It may be on a private
 * network, so requests do not use shared/fetch.
 */

export interface ChatCompletionsOptions {
  /** The base URL of the API: `https://api.example/v1`. */
  readonly url: string;
  readonly model: string;
  /** Absent: the server needs none. */
  readonly apiKey?: string | undefined;
  readonly bounds?: Partial<CallBounds>;
}

export interface CallBounds {
  /** For one attempt, from the connection to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Attempts of one call, including the first. */
  readonly attempts: number;
  /** The first wait between two attempts; it doubles each time. */
  readonly firstWaitMs: number;
  /** The longest wait. If Retry-After is longer, the call fails. */
  readonly longestWaitMs: number;
}

const usual: CallBounds = {
  timeoutMs: 2 * MINUTE_MS,
  maxBytes: 1024 ** 2,
  attempts: 3,
  firstWaitMs: SECOND_MS,
  longestWaitMs: 30 * SECOND_MS,
};

/** Connects lazily. `close` aborts running calls. */
export function createChatCompletions({
  url,
  model,
  apiKey,
  bounds: given,
}: ChatCompletionsOptions): LanguageModel & { readonly close: () => Promise<void> } {
  const bounds = { ...usual, ...given };
  const { timeoutMs } = bounds;
  const dispatcher = new Agent({
    connect: { timeout: Math.min(timeoutMs, 10 * SECOND_MS) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16 * 1024,
  });
  const address = `${url.replace(/\/$/, '')}/chat/completions`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };

  async function askOnce(body: string, signal: AbortSignal): Promise<Completion | Refusal> {
    const time = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(address, {
        ...{ method: 'POST', headers, body, dispatcher },
        signal: AbortSignal.any([signal, time]),
      });
      const text = await readText(answer.body, bounds.maxBytes);
      if (answer.statusCode === 200) return readCompletion(text);
      return toRefusal(answer.statusCode, answer.headers['retry-after']);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      return { error: new ModelError(isTimeout(error, time) ? 'timeout' : 'unreachable'), waitMs: null };
    }
  }

  return {
    name: model,
    sizeOf: (turn: Turn) => Buffer.byteLength(toRequestBody(model, turn)),
    async complete(turn, signal) {
      const body = toRequestBody(model, turn);
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted();
        const outcome = await askOnce(body, signal);
        if (!('error' in outcome)) return outcome;
        const waitMs = outcome.waitMs ?? bounds.firstWaitMs * 2 ** (attempt - 1);
        if (attempt >= bounds.attempts || waitMs > bounds.longestWaitMs) throw outcome.error;
        await pause(waitMs, signal);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** A failed attempt that may be retried. */
interface Refusal {
  readonly error: ModelError;
  /** From the server's Retry-After. */
  readonly waitMs: number | null;
}

/** @throws ModelError if a retry would fail too. Redirects are not followed: the key is meant for this server */
function toRefusal(status: number, retryAfter: string | string[] | undefined): Refusal {
  const isBusy = status === 429 || status === 503;
  if (!isBusy && status < 500) throw new ModelError('refused', status);
  return {
    error: new ModelError(isBusy ? 'busy' : 'failed', status),
    waitMs: readRetryAfter(retryAfter, Date.now()),
  };
}

/** @throws ModelError `too_large` */
async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) throw new ModelError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isTimeout(error: unknown, time: AbortSignal): boolean {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  return time.aborted || code.endsWith('_TIMEOUT');
}

import type { ServerResponse } from 'node:http';
import { createChatCompletions } from '../../../services/jobs/language-model/chat-completions.js';
import { startLocalServer } from '../local-server.js';

/**
 * A server on 127.0.0.1 with the protocol of OpenAI's chat completions and scripted answers. It ends with the
 * test.
 */

type Json = any;

/** The answer to one call: a body of the protocol, or a function that answers. */
export type Step = Json | ((response: ServerResponse, asked: Json) => void);

/** An answer with text. */
export function says(content: string, usage: Json = { prompt_tokens: 100, completion_tokens: 20 }): Json {
  return { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }], usage };
}

/**
 * An answer that calls a tool.
 * @param given its arguments: JSON, or raw text
 */
export function calls(
  name: string,
  given: Json = {},
  usage: Json = { prompt_tokens: 100, completion_tokens: 20 },
): Json {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const call = { id: `call_${name}`, type: 'function', function: { name, arguments: text } };
  return { choices: [{ message: { role: 'assistant', content: null, tool_calls: [call] } }], usage };
}

/** An answer with an HTTP error. */
export function fails(status: number, headers: Record<string, string> = {}): Step {
  return (response: ServerResponse) => response.writeHead(status, headers).end('{"error":"no"}');
}

/** @param script its answers in order; the last one also for all further calls */
export async function startModelServer(script: readonly Step[]) {
  const asked: Json[] = [];
  const keys: (string | undefined)[] = [];
  const server = await startLocalServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const step = script[Math.min(asked.length, script.length - 1)];
    asked.push(body);
    keys.push(request.headers.authorization);
    if (typeof step === 'function') return step(response, body);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(step));
  });
  const url = `http://127.0.0.1:${server.port}/v1`;
  const model = createChatCompletions({
    ...{ url, model: 'test-model', apiKey: 'sk-secret' },
    bounds: { timeoutMs: 2_000, firstWaitMs: 1, longestWaitMs: 1_500, maxBytes: 100_000 },
  });
  /** The last message that was sent to the model: the result of a tool, or a correction. */
  const lastMessage = (call: number) => asked[call].messages.at(-1) as Json;
  return { url, model, asked, keys, lastMessage };
}

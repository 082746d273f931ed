import { expect, test } from 'vitest';
import { calls, fails, type Step, says, startModelServer } from '../../../test/harness/jobs/model-server.js';
import { startLocalServer } from '../../../test/harness/local-server.js';
import { createChatCompletions } from './chat-completions.js';
import type { Turn } from './language-model.js';
import { openLanguageModel } from './open-language-model.js';

const turn: Turn = {
  messages: [{ role: 'user', content: 'hello' }],
  tools: [{ name: 'summary', description: 'sums', parameters: { type: 'object', properties: {} } }],
  mayCallTools: true,
  maxTokens: 50,
};
const never = new AbortController().signal;

async function completed(script: readonly Step[]) {
  const server = await startModelServer(script);
  const completion = await server.model.complete(turn, never).catch((error: unknown) => error);
  return { ...server, completion: completion as any };
}

test('a turn is sent in the form of the protocol, with the key; its text and tokens are returned', async () => {
  const { asked, keys, completion } = await completed([says('hi')]);
  expect(completion).toEqual({
    content: 'hi',
    toolCalls: [],
    isCut: false,
    usage: { input: 100, output: 20 },
  });
  expect(keys).toEqual(['Bearer sk-secret']);
  expect(asked).toMatchObject([
    {
      model: 'test-model',
      messages: [{ role: 'user', content: 'hello' }],
      tools: [{ type: 'function', function: { name: 'summary', description: 'sums' } }],
      tool_choice: 'auto',
      max_tokens: 50,
      stream: false,
    },
  ]);
});

test('a tool call is returned as written, and is sent again with its result', async () => {
  const { model, completion, asked } = await completed([calls('summary', '{broken'), says('done')]);
  expect(completion.toolCalls).toEqual([{ id: 'call_summary', name: 'summary', arguments: '{broken' }]);
  const result = { role: 'tool', callId: 'call_summary', content: '12' } as const;
  const called = { role: 'assistant', content: '', toolCalls: completion.toolCalls } as const;
  await model.complete({ ...turn, messages: [...turn.messages, called, result], mayCallTools: false }, never);
  expect(asked[1].tool_choice).toBe('none');
  expect(asked[1].messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_summary', type: 'function', function: { name: 'summary', arguments: '{broken' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_summary', content: '12' },
  ]);
});

test.each([
  ['429 with Retry-After', fails(429, { 'retry-after': '1' })],
  ['500', fails(500)],
  ['503', fails(503)],
])('%s is tried again', async (_name, failure) => {
  const { completion, asked } = await completed([failure, says('hi')]);
  expect(completion.content).toBe('hi');
  expect(asked).toHaveLength(2);
});

test('Retry-After is obeyed, in seconds and as a date', async () => {
  const began = Date.now();
  await completed([fails(429, { 'retry-after': '1' }), says('hi')]);
  expect(Date.now() - began).toBeGreaterThanOrEqual(990);
  let until = 0;
  const { asked } = await completed([
    (response: any) => {
      // A whole second, and no later than the fixture's longest wait.
      until = Math.floor((Date.now() + 1_400) / 1_000) * 1_000;
      response.writeHead(429, { 'retry-after': new Date(until).toUTCString() }).end('{"error":"no"}');
    },
    says('hi'),
  ]);
  expect(asked).toHaveLength(2);
  expect(Date.now()).toBeGreaterThanOrEqual(until - 10);
});

const flood: Step = (response: any) => {
  response.writeHead(200);
  response.on('error', () => {});
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

test.each<[string, Step, { code: string; attempts: number }]>([
  ['a 500 that stays', fails(500), { code: 'failed', attempts: 3 }],
  ...['9999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'].map(
    (asked): [string, Step, { code: string; attempts: number }] => [
      `a 429 with a longer wait than the limit (${asked.slice(0, 20)})`,
      fails(429, { 'retry-after': asked }),
      { code: 'busy', attempts: 1 },
    ],
  ),
  ['a 429 that asks for garbage', fails(429, { 'retry-after': 'soon' }), { code: 'busy', attempts: 3 }],
  ['a 401', fails(401), { code: 'refused', attempts: 1 }],
  ['a redirect', fails(302, { location: 'http://127.0.0.1:1/elsewhere' }), { code: 'refused', attempts: 1 }],
  ['no JSON', (response: any) => response.end('<html>'), { code: 'garbled', attempts: 1 }],
  ['another form', { choices: [] }, { code: 'garbled', attempts: 1 }],
  ['a body without an end', flood, { code: 'too_large', attempts: 1 }],
  ['a connection that breaks', (response: any) => response.destroy(), { code: 'unreachable', attempts: 3 }],
])('%s has its own error, without the key', async (_name, step, { code, attempts }) => {
  const { completion, asked } = await completed([step]);
  expect(completion).toMatchObject({ name: 'ModelError', code });
  expect(asked).toHaveLength(attempts);
  expect(JSON.stringify(completion) + completion.stack + completion.message).not.toContain('sk-secret');
});

test.each<[string, (response: any) => void]>([
  ['never answers', () => {}],
  ['stops within its answer', (response) => void response.writeHead(200).write('{')],
])('a server that %s is given up', async (_name, listener) => {
  const { port } = await startLocalServer((_request, response) => listener(response));
  const bounds = { timeoutMs: 100, attempts: 1 };
  const model = createChatCompletions({ url: `http://127.0.0.1:${port}`, model: 'm', bounds });
  await expect(model.complete(turn, never)).rejects.toMatchObject({ code: 'timeout' });
});

test('a call ends when its signal fires, during an answer and between two attempts', async () => {
  for (const step of [() => {}, fails(429, { 'retry-after': '1' })]) {
    const { model } = await startModelServer([step]);
    const ended = new AbortController();
    const call = model.complete(turn, ended.signal);
    setTimeout(() => ended.abort(new Error('stopped')), 50);
    await expect(call).rejects.toThrow('stopped');
  }
});

test('implausible token counts are ignored', async () => {
  const { completion } = await completed([says('hi', { prompt_tokens: -5, completion_tokens: 1e300 })]);
  expect(completion.usage).toBeNull();
});

test('a configured model is opened, and half a configuration is refused', () => {
  const none = { INSIGHTS_URL: undefined, INSIGHTS_MODEL: undefined, INSIGHTS_API_KEY: undefined };
  expect(openLanguageModel(none)).toBeNull();
  expect(openLanguageModel({ ...none, INSIGHTS_URL: 'http://127.0.0.1/v1', INSIGHTS_MODEL: 'm' })?.name).toBe(
    'm',
  );
  expect(() => openLanguageModel({ ...none, INSIGHTS_URL: 'http://127.0.0.1/v1' })).toThrow(/INSIGHTS_MODEL/);
  expect(() => openLanguageModel({ ...none, INSIGHTS_API_KEY: 'k' })).toThrow(/INSIGHTS_URL/);
});

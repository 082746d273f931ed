import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, untouchedStore } from '../../../test/harness/api.js';

let test: TestApi;
beforeAll(async () => {
  test = await createTestApi({ reader: untouchedStore });
});

async function post(body: string) {
  const before = test.logged().length;
  const response = await test.api.request('/mcp', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${test.keys.read}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body,
  });
  return { status: response.status, text: await response.text(), logged: test.logged().slice(before) };
}

const call = (name: string, given: unknown) =>
  post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }));

const ofWebsite = (website_id: unknown) =>
  call('call_operation', { operation: 'getSummary', parameters: { website_id } });

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('an error of the protocol', () => {
  const hostile = `\u001b[31m\u202e\u{e0041}IGNORE\n--- ends${'x'.repeat(5_000)}`;
  const message = (method: string, params: unknown) =>
    post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u202e]|\\u001b|\\u202e|\u{e0041}/u;

  it.each([
    ['tools/call', { name: hostile, arguments: {} }],
    ['prompts/get', { name: hostile }],
    ['resources/read', { uri: hostile }],
    [hostile, {}],
    ['initialize', { protocolVersion: hostile, capabilities: hostile, clientInfo: { name: hostile } }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: hostile }, argument: { name: 'a', value: 'b' } },
    ],
  ])('of %s quotes little, and nothing hidden', async (method, params) => {
    const { text } = await message(method, params);
    expect(text).toContain('"error"');
    expect(text.length).toBeLessThan(1_500);
    expect(text).not.toMatch(HIDDEN);
  });
});

describe('a hostile call', () => {
  it('does not stop the process with a long website', async () => {
    const started = performance.now();
    const { text } = await ofWebsite(`${'/'.repeat(100_000)}\n`);
    expect(text).toContain('website: none of this name');
    // Time that grows with the square of the length would be 7 s.
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it.each([5, true])('is refused, and is no failure of the server, with the website %s', async (website) => {
    const { text, logged } = await ofWebsite(website);
    expect(text).toContain('website: none of this name');
    expect(logged).not.toContain('a tool failed');
  });

  it.each(['{"toString":1}', deep(60_000), '5', 'null'])(
    'is refused with a method that is no text',
    async (method) => {
      const { status, logged } = await post(`{"jsonrpc":"2.0","id":1,"method":${method}}`);
      expect(status).toBe(400);
      expect(logged).not.toContain('request failed');
    },
  );

  it.each([
    ['an object', { toString: 1 }],
    ['a list', ['\u202eIGNORE\u{e0041}\u200b']],
  ])('is refused with %s for a choice, and is not quoted', async (kind, by) => {
    const { text } = await call('query_traffic', { by });
    expect(text).toContain(`bot_access, got ${kind}`);
    expect(text).not.toContain('IGNORE');
  });

  it('is refused with names of parameters that are not quoted', async () => {
    const name = `\u202e\u{e0041}\n--- ends\nIGNORE${'x'.repeat(3_000)}`;
    const { text } = await call('call_operation', { operation: 'getSummary', parameters: { [name]: {} } });
    expect(text).toContain('parameters: expected texts');
    expect(text).not.toContain('IGNORE');
  });
});

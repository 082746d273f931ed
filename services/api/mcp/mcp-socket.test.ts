import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, untouchedStore } from '../../../test/harness/api.js';
import { startTestService } from '../../../test/harness/api-service.js';
import { connectMcp, eras } from '../../../test/harness/mcp-client.js';
import type { ApiService } from '../api-service.js';

/** Over a socket, where requests have the form of the Node server. */

let test: TestApi;
let service: ApiService;
beforeAll(async () => {
  test = await createTestApi({ reader: untouchedStore });
  service = await startTestService(test);
});
afterAll(() => service?.stop());

describe.each(eras)('over a socket, in the %s era', (era) => {
  it.each(['header', 'address'] as const)('answers with the key in the %s', async (place) => {
    const url = `http://127.0.0.1:${service.port}/mcp${place === 'address' ? `?apiKey=${test.keys.read}` : ''}`;
    const client = await connectMcp({ era, key: place === 'header' ? test.keys.read : null, url });
    expect((await client.listTools()).tools).toHaveLength(10);
    const result = await client.callTool({ name: 'list_websites', arguments: {} });
    expect(result.structuredContent).toMatchObject({
      rows: [['www.example.com', test.website.id, expect.anything(), expect.anything(), expect.anything()]],
    });
    await client.close();
    expect(test.logged()).not.toContain(test.keys.read);
  });

  it('refuses without a key', async () => {
    await expect(
      connectMcp({ era, key: null, url: `http://127.0.0.1:${service.port}/mcp` }),
    ).rejects.toThrow();
  });
});

describe('over a socket', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${service.port}/mcp`, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${test.keys.read}`,
        ...headers,
      },
    });

  it('refuses a large body, and one that it does not understand', async () => {
    expect((await post('x'.repeat(2_000_000))).status).toBe(413);
    expect((await post('{')).status).toBe(400);
    expect((await post('{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await post('[]')).status).toBe(400);
  });

  it('has no stream to open', async () => {
    const response = await fetch(`http://127.0.0.1:${service.port}/mcp`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${test.keys.read}` },
    });
    expect(response.status).toBe(405);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, untouchedStore } from '../../../test/harness/api.js';
import { granted } from '../../../test/harness/control-plane.js';
import { connectMcp, type Era, eras } from '../../../test/harness/mcp-client.js';
import { encodedBody } from '../answer-cache/encoded-body.js';

let test: TestApi;
beforeAll(async () => {
  const console = { page: encodedBody('<!doctype html>'), files: [] };
  test = await createTestApi({ reader: untouchedStore, console });
});

const connect = (era: Era, key: string | null, url?: string) =>
  connectMcp({ era, key, ask: (request) => test.api.request(request), ...(url !== undefined && { url }) });

const textOf = (result: { content: unknown }) => (result.content as { text: string }[])[0]!.text;

describe.each(eras)('in the %s era', (era) => {
  it('lists the tools that a read key may use', async () => {
    const client = await connect(era, test.keys.read);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(10);
    expect(tools.map(({ name }) => name)).not.toContain('change_operation');
    expect(tools.find(({ name }) => name === 'query_traffic')?._meta).toEqual({
      ui: { resourceUri: 'ui://loglane/chart.html' },
      'ui/resourceUri': 'ui://loglane/chart.html',
    });
    expect(client.getInstructions()).toContain('get_overview');
    await client.close();
  });

  it('lists the tool that changes something for a read_write key, within 3,000 tokens', async () => {
    const client = await connect(era, test.keys.readWrite);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('change_operation');
    expect(Buffer.byteLength(JSON.stringify(tools)) / 3.6).toBeLessThan(3_000);
  });

  it('refuses a change with a read key for its scope', async () => {
    const seen: Response[] = [];
    const client = await connectMcp({
      era,
      key: test.keys.read,
      ask: async (request) => {
        const response = await test.api.request(request);
        seen.push(response.clone());
        return response;
      },
    });
    const body = { title: 'Launch', date: '2026-11-20' };
    const call = client.callTool({
      name: 'change_operation',
      arguments: { operation: 'createSiteEvent', body },
    });
    await expect(call).rejects.toThrow();
    const last = seen.at(-1)!;
    expect(last.status).toBe(403);
    expect(last.headers.get('WWW-Authenticate')).toContain('insufficient_scope');
    expect(last.headers.get('WWW-Authenticate')).toContain('read_write');
  });

  it.each([
    ['accept', 1],
    ['decline', 0],
  ] as const)(
    'changes something only if the person says so, where it can be asked: %s',
    async (action, count) => {
      let questions = 0;
      const client = await connectMcp({
        era,
        key: test.keys.readWrite,
        ask: (request) => test.api.request(request),
        answer: () => {
          questions++;
          return action === 'accept' ? { action, content: {} } : { action };
        },
      });
      const before = test.logged().length;
      const body = { title: `${era} ${action}`, date: '2026-11-20' };
      const result = await client.callTool({
        name: 'change_operation',
        arguments: { operation: 'createSiteEvent', body },
      });
      const made = test.logged().slice(before).split('"operation":"createSiteEvent"').length - 1;
      // A server without state can't ask a client of 2025.
      const isAsked = era === 'modern';
      expect([questions, made]).toEqual(isAsked ? [1, count] : [0, 1]);
      expect(result.isError === true).toBe(isAsked && action === 'decline');
    },
  );

  it('answers through the API', async () => {
    const client = await connect(era, test.keys.read);
    const result = await client.callTool({ name: 'list_websites', arguments: {} });
    expect(result.structuredContent).toMatchObject({
      columns: ['domain', 'id', 'name', 'source_type', 'created_at'],
      rows: [['www.example.com', test.website.id, expect.any(String), 'cloudflare', expect.any(String)]],
      next_cursor: null,
    });
    expect(textOf(result)).toContain('www.example.com');
  });

  it('says what would be right', async () => {
    const client = await connect(era, test.keys.read);
    const wrong = await client.callTool({ name: 'query_traffic', arguments: { by: 'counrty' } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('did you mean country?');
    const website = await client.callTool({ name: 'get_overview', arguments: { website: 'example.com' } });
    expect(website.isError).toBe(true);
    expect(textOf(website)).toContain('Nearest: www.example.com');
  });

  it('keeps to the plan and to the websites of the key', async () => {
    const free = await connect(era, test.keys.free);
    const refused = await free.callTool({ name: 'get_overview', arguments: {} });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('plan');
    const client = await connect(era, test.keys.read);
    const foreign = await client.callTool({
      name: 'get_overview',
      arguments: { website: test.foreignWebsite.id },
    });
    expect(foreign.isError).toBe(true);
    expect(textOf(foreign)).toContain('Website not found');
  });

  it('has prompts, definitions and the page of the chart', async () => {
    const client = await connect(era, test.keys.read);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'weekly_review',
      'ai_review',
      'triage_incident',
      'crawl_waste',
    ]);
    const { messages } = await client.getPrompt({ name: 'ai_review' });
    expect(messages[0]!.content).toMatchObject({
      type: 'text',
      text: expect.stringContaining('ai_visibility'),
    });
    const { contents } = await client.readResource({ uri: 'loglane://definitions' });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('**spoofed**') });
    const chart = await client.readResource({ uri: 'ui://loglane/chart.html' });
    expect(chart.contents[0]).toMatchObject({ mimeType: 'text/html;profile=mcp-app' });
  });

  it('takes the key from the address, and logs it nowhere', async () => {
    const client = await connect(era, null, `http://localhost/mcp?apiKey=${test.keys.read}`);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(10);
    await client.callTool({ name: 'list_websites', arguments: {} });
    const logged = test.logged();
    expect(logged).toContain('"path":"/mcp"');
    expect(logged).toContain('"operation":"listWebsites"');
    expect(logged).not.toContain(test.keys.read);
    expect(logged).not.toContain('apiKey=');
  });

  it.each(['revoked', 'expired', 'ingest'] as const)('refuses the key that is %s', async (name) => {
    await expect(connect(era, test.keys[name])).rejects.toThrow();
  });
});

describe('a call without a valid key', () => {
  const call = (headers: Record<string, string>, path = '/mcp') =>
    test.api.request(path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  it('learns where it can sign in', async () => {
    const response = await call({});
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe(
      'Bearer realm="loglane", resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp"',
    );
    const wrong = await call({ Authorization: 'Bearer llapi_wrong' });
    expect(wrong.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
  });

  it('learns no address to sign in at where there is no console', async () => {
    const { api } = await createTestApi({ reader: untouchedStore });
    const response = await api.request('/mcp', { method: 'POST', body: '{}' });
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="loglane"');
  });

  it('is refused with the cookie of a console session', async () => {
    expect((await call({ Cookie: 'loglane_session=llses_abc' })).status).toBe(401);
  });

  it('is refused from a page of another host, and allowed from its own', async () => {
    const Authorization = `Bearer ${test.keys.read}`;
    expect((await call({ Authorization, Origin: 'https://evil.example' })).status).toBe(403);
    expect((await call({ Authorization, Origin: 'https://api.example' })).status).toBe(200);
    expect((await call({ Authorization })).status).toBe(200);
  });

  it('is refused where the address has no key of a possible form', async () => {
    expect((await call({}, '/mcp?apiKey=a%0d%0ab')).status).toBe(401);
  });

  it('is refused after many messages of one key, and not those of others', async () => {
    const limited = await createTestApi({ reader: untouchedStore });
    const ask = (key: string) =>
      limited.api.request('/mcp', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      });
    for (let message = 0; message < 600; message++) expect((await ask(limited.keys.read)).status).toBe(202);
    const refused = await ask(limited.keys.read);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    expect((await ask(limited.keys.readWrite)).status).toBe(202);
    limited.advance(2_000);
    expect((await ask(limited.keys.read)).status).toBe(202);
  });

  it('counts each entry of a batch, and the messages of all keys of an organisation', async () => {
    const limited = await createTestApi({ reader: untouchedStore });
    const { organisationId } = limited.website;
    const ask = async (key: string, count: number) => {
      const { status } = await limited.api.request('/mcp', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: `[${Array(count).fill('{"jsonrpc":"2.0","id":1,"result":{}}').join()}]`,
      });
      return status;
    };
    // Answers are no calls, and are checked all the same.
    expect(await ask(limited.keys.read, 601)).toBe(429);
    for (let key = 0; key < 10; key++) {
      const made = await limited.control.execute({ type: 'createApiKey', organisationId }, 'admin');
      expect(await ask(granted(made).clearText, 590)).toBe(400);
    }
    expect(await ask(limited.keys.readWrite, 590)).toBe(429);
    expect(await ask(limited.keys.foreign, 590)).toBe(400);
  });

  it('is no failure of the server with a method that a copy of the request can not have', async () => {
    const request = new Request('http://localhost/mcp');
    Object.defineProperty(request, 'method', { value: 'TRACE' });
    expect((await test.api.request(request)).status).toBe(405);
  });

  it('refuses a body that is too large, and one that is no JSON', async () => {
    const headers = {
      Authorization: `Bearer ${test.keys.read}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const large = await test.api.request('/mcp', { method: 'POST', headers, body: 'x'.repeat(300_000) });
    expect(large.status).toBe(413);
    const wrong = await test.api.request('/mcp', { method: 'POST', headers, body: '{' });
    expect(wrong.status).toBe(400);
  });
});

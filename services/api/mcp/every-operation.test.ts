import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, untouchedStore } from '../../../test/harness/api.js';
import { connectMcp } from '../../../test/harness/mcp-client.js';
import { isSent } from '../operation/operation.js';
import { pathParametersOf } from '../operation/routes.js';
import { operations } from '../operations/all-operations.js';

type Client = Awaited<ReturnType<typeof connectMcp>>;

let test: TestApi;
let client: Client;
beforeAll(async () => {
  test = await createTestApi({ reader: untouchedStore });
  client = await connectMcp({
    era: 'modern',
    key: test.keys.readWrite,
    ask: (request) => test.api.request(request),
  });
});

const textOf = (result: { content: unknown }) => (result.content as { text: string }[])[0]!.text;

describe('through MCP', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s is reachable',
    async (id, operation) => {
      const parameters = Object.fromEntries(
        Object.keys(pathParametersOf(operation).shape).map((name) => [name, 'a/b']),
      );
      const name = isSent(operation) ? 'change_operation' : 'call_operation';
      const before = test.logged().length;
      await client.callTool({ name, arguments: { operation: id, parameters } });
      expect(test.logged().slice(before)).toContain(`"operation":"${id}"`);
    },
  );

  it.each(operations.map(({ id }) => id))('%s is described within 4,000 tokens', async (id) => {
    const result = await client.callTool({ name: 'describe_operation', arguments: { operation: id } });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ operation: id, parameters: expect.any(Array) });
    // JSON of schemas has 4 bytes a token in the vocabulary o200k.
    expect(Buffer.byteLength(textOf(result)) / 3.6).toBeLessThan(4_000);
    expect(textOf(result)).not.toContain('$ref');
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  });

  it.each([
    ['csv export', 'createExport'],
    ['seo report pdf', 'createReport'],
    ['acknowledge an alert', 'acknowledgeAlert'],
    ['site events timeline', 'listSiteEvents'],
    ['start a crawl', 'runCrawl'],
    ['billing plan', 'getBilling'],
    ['create segment', 'createSegment'],
    ['setup of logs', 'getSetup'],
  ])('words find an operation: %s', async (find, id) => {
    const result = await client.callTool({ name: 'describe_operation', arguments: { find } });
    const { rows } = result.structuredContent as { rows: string[][] };
    expect(rows.slice(0, 5).map(([first]) => first)).toContain(id);
  });
});

describe('a wrong call of an operation', () => {
  const call = async (name: string, given: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: given });
    expect(result.isError).toBe(true);
    return textOf(result);
  };

  it('is refused, and the right one is named', async () => {
    expect(await call('call_operation', { operation: 'getDevice' })).toContain('The nearest is getDevices');
    expect(await call('call_operation', { operation: 'createSegment' })).toContain('change_operation');
    expect(await call('change_operation', { operation: 'getDevices' })).toContain('call_operation');
    expect(await call('call_operation', { operation: 'getIpRequests' })).toContain('ip_address');
    expect(await call('call_operation', { operation: 'getSummary', parameters: { hour: 48 } })).toContain(
      'getSummary has no "hour" (did you mean hours?)',
    );
    expect(await call('call_operation', { operation: 'getSummary', parameters: { hours: 0 } })).toContain(
      'hours: ',
    );
  });

  it('can not lead to another path', async () => {
    for (const bot_name of ['.', '..', ''])
      expect(
        await call('change_operation', {
          operation: 'suppressBot',
          parameters: { bot_name },
          body: { days: 1 },
        }),
      ).toContain('bot_name');
    const before = test.logged().length;
    await call('change_operation', {
      operation: 'deleteSegment',
      parameters: { segment_id: '../../websites' },
    });
    expect(test.logged().slice(before)).toContain('"operation":"deleteSegment"');
  });

  it('can not leave the website out where there are several', async () => {
    const many = await createTestApi({ reader: untouchedStore });
    await many.request('/public/v1/websites', { method: 'POST', body: { domain: 'second.example.com' } });
    const other = await connectMcp({
      era: 'legacy',
      key: many.keys.read,
      ask: (request) => many.api.request(request),
    });
    const result = await other.callTool({ name: 'get_overview', arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/Which website\?[\s\S]*www\.example\.com[\s\S]*second\.example\.com/);
  });
});

describe('a change', () => {
  it('is made with the key of the caller, and its name is in the timeline', async () => {
    const rules = [{ type: 'prefix', value: '/blog' }];
    const result = await client.callTool({
      name: 'change_operation',
      arguments: { operation: 'createSegment', body: { name: 'Blog', rules } },
    });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ answer: { segment: { name: 'Blog' } } });
    const wrong = await client.callTool({ name: 'query_traffic', arguments: { by: 'path', segment: 'Blg' } });
    expect(textOf(wrong)).toContain('Nearest: Blog');
    await client.callTool({
      name: 'change_operation',
      arguments: { operation: 'createSegment', body: { name: 'blog', rules } },
    });
    const twins = await client.callTool({
      name: 'query_traffic',
      arguments: { by: 'path', segment: 'Blog' },
    });
    expect(textOf(twins)).toMatch(/several have this name.*Blog \(seg_\w+\), blog \(seg_\w+\)/s);
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointJudge } from './endpoint-judge.js';
import { questions } from './questions/all-questions.js';
import { report } from './report.js';
import { verdictOf, verdictsOf } from './verdicts.js';

const tools = [
  { name: 'list_websites', description: 'Websites', inputSchema: { type: 'object', properties: {} } },
  { name: 'change_operation', description: 'Changes', inputSchema: { type: 'object', properties: {} } },
];

interface Asked {
  model: string;
  messages: { role: string; content: string }[];
  tools: { type: string; function: { name: string; parameters: unknown } }[];
}

/** Speaks chat completions: answers by the user's message. */
const answers: Record<string, object> = {
  sites: { tool_calls: [{ function: { name: 'list_websites', arguments: '{"limit":5}' } }] },
  broken: { tool_calls: [{ function: { name: 'list_websites', arguments: '{"limit":' } }] },
  talk: { content: 'Which website?' },
};

let server: Server;
let url: string;
let asked: Asked[] = [];
let keys: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Asked;
    asked.push(body);
    keys.push(request.headers.authorization);
    const message = answers[body.messages.at(-1)!.content];
    response.statusCode = message === undefined ? 429 : 200;
    response.end(message === undefined ? 'too many' : JSON.stringify({ choices: [{ message }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const judge = () => endpointJudge(tools, { url, key: 'secret', model: 'small', instructions: 'Be exact.' });

describe('a judge behind an endpoint', () => {
  it('sends the tools, the instructions and the question', async () => {
    asked = [];
    keys = [];
    expect(await judge().choose('sites')).toEqual({ tool: 'list_websites', arguments: { limit: 5 } });
    expect(keys).toEqual(['Bearer secret']);
    expect(asked[0]).toMatchObject({
      model: 'small',
      messages: [{ role: 'system', content: 'Be exact.' }, { role: 'user' }],
    });
    expect(asked[0]!.tools.map((tool) => tool.function.name)).toEqual(tools.map(({ name }) => name));
    expect(asked[0]!.tools[0]!.function.parameters).toEqual(tools[0]!.inputSchema);
  });

  it('has chosen nothing where the model talks, and no argument where its JSON is broken', async () => {
    expect(await judge().choose('talk')).toBeNull();
    expect(await judge().choose('broken')).toEqual({ tool: 'list_websites', arguments: {} });
  });

  it('fails with the status that the endpoint answered', async () => {
    await expect(judge().choose('anything else')).rejects.toThrow('429: too many');
  });

  it('is reported with shares and failures', async () => {
    const question = { id: 'q', wordings: ['sites', 'broken', 'talk'], tool: 'list_websites' } as const;
    const verdicts = await verdictsOf(judge(), [question]);
    const text = report(judge(), tools, verdicts);
    expect(text).toContain('right tool 66.7 % (bar 90.0 %)');
    expect(text).toContain('q: "talk" expected list_websites {}, chosen none {}');
  });
});

describe('a verdict', () => {
  const question = questions.find(({ id }) => id === 'search-bot-trend')!;
  const of = (tool: string, args: object) => verdictOf(question, '', { tool, arguments: { ...args } });

  it.each([
    ['query_traffic', { by: 'day', who: 'search', limit: 5 }, { tool: true, call: true, forbidden: false }],
    ['query_traffic', { by: 'day' }, { tool: true, call: false, forbidden: false }],
    ['seo_health', {}, { tool: false, call: false, forbidden: false }],
    ['find_requests', {}, { tool: false, call: false, forbidden: true }],
    ['change_operation', {}, { tool: false, call: false, forbidden: true }],
  ])('of %s %j', (tool, args, expected) => {
    expect(of(tool, args)).toMatchObject(expected);
  });
});

describe('the questions', () => {
  it('are 60 with ids of their own, in 180 wordings of their own', () => {
    expect(questions).toHaveLength(60);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(60);
    expect(new Set(questions.flatMap(({ wordings }) => wordings)).size).toBe(180);
  });

  it('name no tool', () => {
    for (const wording of questions.flatMap(({ wordings }) => wordings))
      expect(wording).not.toMatch(/[a-z]_[a-z]/);
  });
});

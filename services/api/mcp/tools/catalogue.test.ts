import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue, inputs, listed } from './catalogue.js';

const list = catalogue.map((tool) => {
  const { inputSchema, ...rest } = listed(tool);
  return { name: tool.name, ...rest, inputSchema: z.toJSONSchema(inputSchema, { io: 'input' }) };
});

describe('the list of tools', () => {
  it('has at most 3,000 tokens', () => {
    const text = JSON.stringify(list);
    // JSON of schemas has 4.0 bytes a token in the vocabulary o200k.
    expect(Buffer.byteLength(text) / 3.6).toBeLessThan(3_000);
  });

  it('gives every tool a title, and calls only one destructive', () => {
    expect(list).toHaveLength(11);
    expect(list.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name)).toEqual([
      'change_operation',
    ]);
  });
});

describe('a wrong argument is refused with the right one', () => {
  const refusal = (tool: keyof typeof inputs, given: object) => {
    const { error } = inputs[tool].safeParse(given);
    return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  };

  it.each([
    ['query_traffic', { by: 'counrty' }, 'did you mean country?'],
    ['ai_visibility', { view: 'landing_pages' }, 'did you mean landing?'],
    ['ai_visibility', { view: 'landing', operater: 'OpenAI' }, 'did you mean operator?'],
    ['get_overview', { period: 'last week' }, 'DATE..DATE'],
    ['find_requests', { status: 'errors' }, '404'],
    ['get_overview', { countries: 'Germany' }, 'DE,FR'],
    ['list_websites', { website: 'a' }, 'the arguments are none'],
  ] as const)('%s %j', (tool, given, right) => {
    expect(refusal(tool, given)).toContain(right);
  });

  it('names no value that is far', () => {
    expect(refusal('query_traffic', { by: 'zzzzzzzzzz' })).not.toContain('did you mean');
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { ListedTool } from './judge.js';
import { lexicalJudge, words } from './lexical-judge.js';
import { listTools } from './list-tools.js';
import { questions } from './questions/all-questions.js';
import { share, verdictsOf } from './verdicts.js';

/** The descriptions do not reach the judge's bar. This floor is near their share, so that a worse description fails. */
const LEAST = 0.6;

let tools: ListedTool[];
beforeAll(async () => {
  ({ tools } = await listTools());
});

const shareOf = async (list: readonly ListedTool[]) =>
  share(await verdictsOf(lexicalJudge(list), questions), 'tool');

describe('descriptions of the tools', () => {
  it('lead to the right tool by the words of questions', async () => {
    expect(await shareOf(tools)).toBeGreaterThanOrEqual(LEAST);
  });

  it.each(['query_traffic', 'seo_health', 'ai_visibility'])(
    'lead there less often where %s says nothing',
    async (name) => {
      const broken = tools.map((tool) => (tool.name === name ? { ...tool, description: 'A tool.' } : tool));
      expect(await shareOf(broken)).toBeLessThan(LEAST);
    },
  );
});

describe('the lexical judge', () => {
  const property = { type: 'string', enum: ['sun', 'rain'] };
  const list = [
    {
      name: 'weather',
      description: 'Sky. sun: bright hours. rain: wet days.',
      inputSchema: { properties: { view: property } },
    },
    { name: 'trains', description: 'Departures of trains.', inputSchema: {} },
  ];

  it.each([
    ['When do trains depart?', { tool: 'trains', arguments: {} }],
    ['Which hours of the sky are bright?', { tool: 'weather', arguments: { view: 'sun' } }],
    ['How wet is the sky?', { tool: 'weather', arguments: { view: 'rain' } }],
    ['Is there something else?', null],
  ])('%s', async (wording, choice) => {
    expect(await lexicalJudge(list).choose(wording)).toEqual(choice);
  });

  it('compares words without endings', () => {
    expect(words('Crawlers of the countries')).toEqual(words('crawling country'));
  });
});

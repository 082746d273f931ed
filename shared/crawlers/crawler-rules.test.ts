import { describe, expect, test } from 'vitest';
import { createCrawlerRules, loadRuleData, type RuleData } from './crawler-rules.js';
import type { RangeSnapshot } from './table-schema.js';

const day = (text: string) => Date.parse(`2026-${text}T12:00:00Z`);

const snapshot = (feed: string, retrieved: string, ...prefixes: string[]): RangeSnapshot => ({
  feed,
  operator: 'Example',
  urls: ['https://example.com/ranges'],
  published: null,
  retrieved: `2026-${retrieved}`,
  prefixes,
});

const feed = (name: string, agents: boolean) => ({
  name,
  operator: name === 'agents' ? 'Example AI' : 'Example',
  urls: ['https://example.com/ranges'],
  format: 'prefixes' as const,
  min_prefixes: 1,
  max_prefixes: 9,
  ...(agents ? { agents_only: true as const } : {}),
});

const data: RuleData = {
  table: {
    version: 'crawlers-2026-11',
    crawlers: [
      {
        name: 'ExampleBot',
        operator: 'Example',
        family: 'Example',
        tokens: ['ExampleBot'],
        category: 'search',
      },
    ],
    families: [{ name: 'Example', feeds: ['a', 'b'], documentation: 'https://example.com' }],
  },
  feeds: [feed('a', false), feed('b', false), feed('agents', true)],
  history: new Map([
    ['a', [snapshot('a', '03-01', '192.0.2.0/28'), snapshot('a', '05-01', '192.0.2.16/28')]],
    ['b', [snapshot('b', '04-01', '198.51.100.0/28')]],
    [
      'agents',
      [snapshot('agents', '03-01', '203.0.113.0/28'), snapshot('agents', '04-15', '203.0.113.64/28')],
    ],
  ]),
};

describe('rules', () => {
  const rules = createCrawlerRules(data);

  test.each([
    ['03-20', '192.0.2.1', 'inside'],
    ['03-20', '192.0.2.17', 'outside'],
    ['04-30', '192.0.2.1', 'inside'],
    ['05-01', '192.0.2.1', 'outside'],
    ['05-01', '192.0.2.17', 'inside'],
    // The list of feed a is 60 days old and may have changed since.
    ['04-30', '192.0.2.17', 'unsure'],
    // On the second day, the list of feed b is 31 days old.
    ['05-01', '203.0.113.9', 'outside'],
    ['05-02', '203.0.113.9', 'unsure'],
    // The content before a feed's first list is unknown, so that list applies.
    ['01-01', '192.0.2.1', 'inside'],
    ['01-01', '198.51.100.1', 'inside'],
    ['01-01', '203.0.113.9', 'unsure'],
    ['06-01', '198.51.100.1', 'inside'],
  ])('on %s classify %s by the list of that day: %s', (at, ip, finding) =>
    expect(rules.verifyByRanges('Example', ip, day(at))).toBe(finding),
  );

  test.each([
    ['03-20', '203.0.113.1', 'Example AI'],
    ['04-20', '203.0.113.1', ''],
    ['04-20', '203.0.113.65', 'Example AI'],
    ['04-20', '192.0.2.1', ''],
    ['04-20', 'no address', ''],
  ])('on %s return the operator of agents at %s: "%s"', (at, ip, operator) =>
    expect(rules.agentOperatorOf(ip, day(at))).toBe(operator),
  );

  test('have one version per period in which the same lists apply', () => {
    const at = (text: string) => rules.versionAt(day(text));
    const versions = ['03-20', '04-10', '04-20', '05-10'].map(at);
    expect(versions.map((version) => version.slice(0, 18))).toEqual([
      '2026-11/2026-04-01',
      '2026-11/2026-04-01',
      '2026-11/2026-04-15',
      '2026-11/2026-05-01',
    ]);
    expect(new Set(versions.map((version) => version.slice(19))).size).toBe(4);
    expect(at('03-05')).toBe(at('03-20'));
    expect(at('11-01')).toBe(at('12-31'));
    // The same lists apply, but one of them is too old by then.
    expect(at('01-01')).not.toBe(at('03-20'));
    expect(at('05-01')).not.toBe(at('05-02'));
  });

  test('have the same version when loaded again, and another one after any difference', () => {
    const versionOf = (changed: Partial<RuleData>) =>
      createCrawlerRules({ ...data, ...changed }).versionAt(day('06-01'));
    const { table } = data;
    const [crawler] = table.crawlers;
    expect(versionOf({})).toBe(rules.versionAt(day('06-01')));
    const others = [
      versionOf({ table: { ...table, crawlers: [{ ...crawler!, tokens: ['OtherBot'] }] } }),
      versionOf({ table: { ...table, families: [{ ...table.families[0]!, feeds: ['a'] }] } }),
      versionOf({ feeds: [feed('a', true), feed('b', false), feed('agents', true)] }),
      versionOf({ history: new Map([...data.history, ['b', [snapshot('b', '04-01', '198.51.100.16/28')]]]) }),
    ];
    expect(new Set([...others, versionOf({})]).size).toBe(5);
  });
});

describe('the rules of this release', () => {
  const rules = createCrawlerRules(loadRuleData());
  const now = day('11-01');

  test.each([
    ['20.171.206.9', 'OpenAI'],
    ['136.122.0.9', 'Google'],
    ['216.73.216.10', 'Anthropic'],
    // Search crawlers, translation proxies, a social network’s own lines, and others.
    ['66.249.66.1', ''],
    ['157.55.39.1', ''],
    ['31.13.24.1', ''],
    ['8.8.8.8', ''],
  ])('classify %s as an agent address of "%s"', (ip, operator) =>
    expect(rules.agentOperatorOf(ip, now)).toBe(operator),
  );

  test('do not treat feeds of browsing proxies as agents', () => {
    const { feeds } = loadRuleData();
    const operators = new Set(feeds.filter(({ agents_only }) => agents_only).map(({ operator }) => operator));
    expect([...operators].sort()).toEqual([
      'Amazon',
      'Anthropic',
      'DuckDuckGo',
      'Google',
      'Mistral AI',
      'OpenAI',
      'Parallel',
      'Perplexity',
    ]);
    const google = feeds.filter(({ agents_only, operator }) => agents_only && operator === 'Google');
    expect(google.map(({ name }) => name)).toEqual(['google-user-triggered-agents']);
  });
});

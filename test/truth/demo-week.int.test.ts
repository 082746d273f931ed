import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { WebsiteRead } from '../../services/api/operation/operation.js';
import type { ScopeInput } from '../../services/api/operation/resolve-scope.js';
import { getAiLanding } from '../../services/api/operations/ai/get-ai-landing.js';
import { getUnknownBots } from '../../services/api/operations/bots/get-unknown-bots.js';
import { getBudgetUrls } from '../../services/api/operations/seo/get-budget-urls.js';
import { getStatusConsistency } from '../../services/api/operations/seo/get-status-consistency.js';
import { getUrlPatterns } from '../../services/api/operations/seo/get-url-patterns.js';
import { getSummary } from '../../services/api/operations/traffic/get-summary.js';
import { type DemoWorld, startDemoWorld } from './demo-world.js';
import * as crawlerAnswers from './expected-crawlers.js';
import { patternsNamed } from './named-patterns.js';
import { differences } from './same-answer.js';
import { crawlerReads, read, segmentReads, type TrueRead, unsegmentedReads } from './true-reads.js';

/** Compares reads of a week of the demo's traffic with counts over the generated requests (demo-world.ts). */

let world: DemoWorld;
beforeAll(async () => {
  world = await startDemoWorld(3_000);
}, 600_000);
afterAll(() => world?.stop());

const windows: Record<string, Record<string, string>> = {
  'the week': { hours: '168' },
  'the last day': { hours: '24' },
  'cut days over the end of a month': { start: '2026-10-31T07:05:03Z', end: '2026-11-02T12:00:00.001Z' },
};

/** The generator has no browsers, and patterns are compared by their names (below). */
const apart = new Set(['devices', 'seo/url-patterns', 'seo/url-patterns of a family']);

const reads: readonly TrueRead[] = [
  ...[...segmentReads, ...unsegmentedReads, ...crawlerReads].filter(({ name }) => !apart.has(name)),
  read(
    'seo/budget-urls of the filters',
    getBudgetUrls,
    (truth) => crawlerAnswers.budgetUrls(truth, { withParams: true }, '/c/', { page: 2, size: 20 }),
    { directory: '/c', params_filter: 'with_params', page: '2', page_size: '20' },
  ),
];

async function answerOf(operation: unknown, given: Record<string, string>) {
  const { query, run } = operation as WebsiteRead;
  const input = query.parse(given);
  const truth = world.truthOf('shop', input as unknown as ScopeInput);
  const answer = (await run(input as never, world.contextOf('shop'))) as any;
  return { answer, truth };
}

/** Whether a filter selects few of the rows. */
const isNarrowed = (parameters: Record<string, string>) =>
  ['bot', 'bot_name', 'params_filter'].some((filter) => Object.hasOwn(parameters, filter));

describe.each(Object.keys(windows))('over %s', (name) => {
  const window = windows[name]!;

  test.each(reads.map((one) => [one.name, one] as const))(
    '%s equals a count over the generated requests',
    async (_, { operation, parameters, expected }) => {
      const { answer, truth } = await answerOf(operation, { ...window, ...parameters });
      expect(truth.now.length).toBeGreaterThan(isNarrowed(parameters) ? 10 : 2_000);
      expect(differences(answer, expected(truth))).toEqual([]);
    },
  );

  const crawlers: [Record<string, string>, crawlerAnswers.Crawlers][] = [
    [{}, {}],
    [
      { bot: 'OpenAI', params_filter: 'no_params' },
      { bot: 'OpenAI', withParams: false },
    ],
    [
      { bot: 'googlebot', params_filter: 'with_params' },
      { bot: 'googlebot', withParams: true },
    ],
  ];
  test.each(crawlers)('each URL counts in the one pattern that it matches: %j', async (given, chosen) => {
    const { answer: all } = await answerOf(getUrlPatterns, { ...window, ...given, min_urls: '1' });
    expect(all.patterns).toHaveLength(all.total_patterns);
    const patternOf = patternsNamed(all.patterns.map(({ pattern }: { pattern: string }) => pattern));
    for (const min_urls of ['1', '3']) {
      const { answer, truth } = await answerOf(getUrlPatterns, { ...window, ...given, min_urls });
      const expected = crawlerAnswers.urlPatterns(truth, chosen, Number(min_urls), patternOf);
      expect(differences(answer, { ...expected, data_buffering: false })).toEqual([]);
      expect(answer.patterns.length).toBeGreaterThan(0);
    }
  });
});

describe('the week shows', () => {
  const ofWeek = async (operation: unknown) => (await answerOf(operation, windows['the week']!)).answer;

  test('sections that waste the crawl, and a failing template', async () => {
    const { patterns } = await ofWeek(getUrlPatterns);
    const flagsOf = (name: string) =>
      patterns.find(({ pattern }: { pattern: string }) => pattern === name)?.flags;
    expect(flagsOf('/c/{slug}/{slug}?{params}')).toContain('parameter_waste');
    expect(flagsOf('/hire/calendar/{year}/{month}')).toContain('endless_space');
    expect(flagsOf('/hire/{slug}')).toContain('server_errors');
    const { pages } = await ofWeek(getStatusConsistency);
    expect(pages.some(({ path }: { path: string }) => path.startsWith('/hire/'))).toBe(true);
  });

  test('undeclared agents, impostors and undecided claims', async () => {
    const summary = await ofWeek(getSummary);
    expect(summary.undeclared_agent_requests).toBeGreaterThan(50);
    expect(summary.spoofed_bot_requests).toBeGreaterThan(50);
    expect(summary.pending_bot_requests).toBeGreaterThan(10);
  });

  test('claims that DNS confirmed or disproved after their rows were stored', async () => {
    const late = await world.clickhouse.read({
      name: 'test',
      sql: `SELECT tupleElement(v.decided, 'status') AS status, count() AS rows FROM requests AS r
        JOIN claim_verdicts AS v USING (website_id, bot_family, client_ip)
        WHERE r.bot_verification = 'pending' GROUP BY status`,
      params: {},
      row: z.object({ status: z.string(), rows: z.number() }),
    });
    const rowsOf = (status: string) => late.find((one) => one.status === status)?.rows;
    for (const status of ['verified', 'spoofed']) expect(rowsOf(status), status).toBeGreaterThan(10);
  });

  test('bots without an entry in the table', async () => {
    const { bots } = await ofWeek(getUnknownBots);
    expect(bots.map(({ bot_name }: { bot_name: string }) => bot_name)).toEqual([
      'ShelfScout',
      'quietcrawler',
    ]);
  });

  test('a page that assistants link to, and the next pages of its visitors', async () => {
    const { pages } = await ofWeek(getAiLanding);
    expect(pages[0].path).toBe('/blog/water-filters-compared-alps');
    expect(pages[0].visits).toBeGreaterThan(pages[1].visits);
    expect(pages[0].bounced).toBeGreaterThan(0);
    expect(pages[0].next_paths).not.toEqual([]);
  });
});

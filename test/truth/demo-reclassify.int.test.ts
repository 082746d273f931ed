import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReclassify } from '../../deploy/admin/server/reclassify.js';
import type { WebsiteRead } from '../../services/api/operation/operation.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { createCrawlerRules, loadRuleData, type RuleData } from '../../shared/crawlers/crawler-rules.js';
import type { AskDns } from '../../shared/crawlers/judge-request.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { createMemoryEventLog } from '../harness/memory-event-log.js';
import { isNightly } from '../harness/runs.js';
import { contentsOf } from '../harness/stored-contents.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';
import { DEMO_NOW, DOMAIN, demoWeek, lateDns, loadDemo } from './demo-world.js';
import { crawlerReads, segmentReads, unsegmentedReads } from './true-reads.js';
import { truthWorldOf } from './truth-world.js';

/**
 * Compares the demo's week, loaded with an older table of crawlers and reclassified, with the same week
 * loaded with this release's table.
 */

const release = loadRuleData();

/**
 * Families that this release verifies by DNS, or under another name: earlier verdicts on their addresses no
 * longer count.
 */
const NEWLY_ASKED = ['Bing', 'Semrush'];

/**
 * An older table: crawlers that are missing or different, other methods, other ranges, and no lists of
 * agents.
 */
const before: RuleData = {
  table: {
    ...release.table,
    crawlers: [
      ...release.table.crawlers
        .filter(({ name }) => !['GPTBot', 'Feedly', 'Storebot-Google'].includes(name))
        .map((entry) => {
          if (entry.name === 'ClaudeBot') return { ...entry, intent: 'search' as const };
          if (entry.name === 'AhrefsBot')
            return { ...entry, category: 'search' as const, operator: 'Ahrefs Ltd' };
          return entry.family === 'Bing' ? { ...entry, family: 'Microsoft' } : entry;
        }),
      {
        name: 'Shelf Scout',
        operator: 'Shelf Inc.',
        tokens: ['ShelfScout'],
        category: 'ai',
        intent: 'search',
      },
    ],
    families: [
      ...release.table.families.filter(({ name }) => !NEWLY_ASKED.includes(name)),
      { name: 'Microsoft', hosts: ['*.search.msn.com'], documentation: 'https://www.bing.com/webmasters' },
    ],
  },
  feeds: release.feeds.map(({ agents_only: _, ...feed }) => feed),
  history: new Map([...release.history, ['perplexitybot', emptied('perplexitybot')]]),
};

/** Empty lists of ranges. */
function emptied(feed: string) {
  return release.history.get(feed)!.map((list) => ({ ...list, prefixes: ['203.0.113.0/24'] }));
}

let engine: TestClickHouse;
const week = demoWeek(1_500);

beforeAll(async () => {
  engine = await startTestClickHouse();
  const dns = lateDns(week);
  await load('old', before, dns.askDns);
  const dnsOfFresh = lateDns(week);
  await load('fresh', release, (family, clientIp) =>
    NEWLY_ASKED.includes(family) ? 'pending' : dnsOfFresh.askDns(family, clientIp),
  );
  const decided = dnsOfFresh.verdicts().map((one) => ({ ...one, decidedAt: DEMO_NOW }));
  for (const websiteId of ['old', 'fresh'])
    await insertVerdicts(
      engine.clickhouse,
      decided.map((one) => ({ ...one, websiteId })),
      websiteId,
    );
}, 600_000);
afterAll(() => engine?.stop());

const load = (websiteId: string, data: RuleData, askDns: AskDns) =>
  loadDemo(engine.clickhouse, week, { websiteId, rules: createCrawlerRules(data), askDns });

let ids = 0;
/** Like the operator's command. */
const reclassify = (from: string, to: string) =>
  createReclassify({
    now: Date.now,
    control: { state: () => ({ websites: new Map([['old', {}]]) }) } as unknown as ControlPlane,
    clickhouse: engine.clickhouse,
    log: createMemoryEventLog(1),
    withInsertsHeld: (work) => work(),
    newId: () => `attempt-${ids++}`,
    logger: pino({ level: 'silent' }),
  })({ websiteId: 'old', from, to });

const allReads = [...segmentReads, ...unsegmentedReads, ...crawlerReads];
/** Reads whose figures change with the rules. */
const changedReads = ['summary', 'bots', 'llms', 'ai-funnel', 'seo', 'seo/path-explorer', 'bots/unknown'];
const comparedReads = isNightly ? allReads : allReads.filter(({ name }) => changedReads.includes(name));

/** Reads of the last week. */
async function answersOf(websiteId: string) {
  const world = truthWorldOf(engine, { requests: {}, verdicts: [], now: DEMO_NOW, domain: DOMAIN });
  const answers: Record<string, unknown> = {};
  for (const { name, operation, parameters } of comparedReads) {
    const { query, run } = operation as WebsiteRead;
    answers[name] = await run(
      query.parse({ hours: '168', ...parameters }) as never,
      world.contextOf(websiteId),
    );
  }
  return answers;
}

const namesOfDifferent = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  Object.keys(one).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));

describe('a reclassified week', { timeout: 300_000 }, () => {
  test('has other rows, rollups and figures before', async () => {
    const tables = namesOfDifferent(
      await contentsOf(engine.clickhouse, 'old'),
      await contentsOf(engine.clickhouse, 'fresh'),
    );
    for (const table of [
      'requests',
      'traffic_per_hour',
      'bots_per_hour',
      'hosts_per_hour',
      'crawler_paths_per_hour',
      'crawler_queries_per_hour',
      'not_found_per_hour',
      'devices_per_hour',
    ])
      expect(tables).toContain(table);
    const reads = namesOfDifferent(await answersOf('old'), await answersOf('fresh'));
    for (const name of changedReads) expect(reads).toContain(name);
  });

  test('has the rows, the rollups and the figures of a fresh load', async () => {
    const fresh = await contentsOf(engine.clickhouse, 'fresh');
    const [report] = await reclassify('2026-10-27', '2026-11-03');
    expect(report).toMatchObject({ websiteId: 'old', days: 8, rows: week.length });
    expect(report!.changed).toBeGreaterThan(week.length / 20);
    const now = await contentsOf(engine.clickhouse, 'old');
    expect(namesOfDifferent(now, fresh)).toEqual([]);
    expect(Object.keys(now).sort()).toEqual(Object.keys(fresh).sort());
    expect(namesOfDifferent(await answersOf('old'), await answersOf('fresh'))).toEqual([]);
  });
});

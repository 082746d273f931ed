import { describe, expect, test } from 'vitest';
import { createCrawlerRules, loadRuleData } from '../../../shared/crawlers/crawler-rules.js';
import { createJudge } from '../../../shared/crawlers/judge-request.js';
import { type Change, judgedColumns, updatesOf } from './judgement-changes.js';

const judge = createJudge(createCrawlerRules(loadRuleData()), 100);
const keyOf = (index: number) => index.toString(16).toUpperCase().padStart(32, '0');

const changesOf = (userAgents: readonly string[]): Change[] =>
  userAgents.map((user_agent, index) => ({
    key: keyOf(index),
    judgement: judge(
      { user_agent, client_ip: '192.0.2.1', asn: 0, cdn_bot_category: '', timestamp: 0 },
      () => 'pending',
    ),
  }));

/** The new judgement of each key, as the engine computes it. */
function carriedOut(updates: ReturnType<typeof updatesOf>): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const { params } of updates) {
    const keys = params.keys as string[];
    const places = params.places as number[];
    const valueAt = (column: string, index: number) => {
      const value = params[column];
      return Array.isArray(value) ? value[places[index]! - 1] : value;
    };
    for (const [index, key] of keys.entries()) {
      expect(found.has(key)).toBe(false);
      found.set(
        key,
        judgedColumns.map((column) => valueAt(column, index)),
      );
    }
  }
  return found;
}

const asSaid = (changes: readonly Change[]) =>
  new Map(
    changes.map(({ key, judgement }) => [
      key,
      judgedColumns.map((column) => (column === 'is_bot' ? Number(judgement.is_bot) : judgement[column])),
    ]),
  );

const mixed = [
  'GPTBot/1.2',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  '',
  'YandexBot/3.0',
];

describe('new judgements of stored rows', () => {
  test('reach each key, with any common columns', () => {
    const changes = changesOf(
      Array.from({ length: 200 }, (_, index) => mixed[index % 4] || `Acme${index}bot/1`),
    );
    const updates = updatesOf(changes);
    expect(updates).toHaveLength(1);
    expect(carriedOut(updates)).toEqual(asSaid(changes));
    expect(updatesOf([])).toEqual([]);
  });

  test('need one statement per 2,500 invented names, and more only for very long names', () => {
    const short = changesOf(Array.from({ length: 5_000 }, (_, index) => `Acme${index}bot/1`));
    expect(updatesOf(short)).toHaveLength(2);
    const long = changesOf(Array.from({ length: 5_000 }, (_, index) => `${'Long'.repeat(10)}${index}bot/1`));
    const updates = updatesOf(long);
    expect(updates).toHaveLength(4);
    expect(carriedOut(updates)).toEqual(asSaid(long));
    for (const { params } of updates) {
      expect(JSON.stringify(params).length).toBeLessThan(256 * 1024);
      for (const value of Object.values(params))
        expect(encodeURIComponent(JSON.stringify(value)).length).toBeLessThan(128 * 1024);
    }
  });
});

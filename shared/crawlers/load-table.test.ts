import { describe, expect, test } from 'vitest';
import { guardPrefixes } from './feed-guards.js';
import { loadCrawlerTable, loadFeeds, loadRangeHistory } from './load-table.js';
import { loadReferrerList } from './referrers.js';
import { createCrawlerIdentifier } from './table.js';

const table = loadCrawlerTable();
const feeds = loadFeeds();
const history = loadRangeHistory();

const repeated = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);

describe('the crawler table', () => {
  test('names every crawler and every family once', () => {
    expect(table.crawlers.length).toBeGreaterThan(400);
    expect(repeated(table.crawlers.map(({ name }) => name.toLowerCase()))).toEqual([]);
    expect(repeated(table.families.map(({ name }) => name))).toEqual([]);
  });

  test('gives every token to one crawler', () => {
    expect(
      repeated(table.crawlers.flatMap(({ tokens }) => tokens.map((token) => token.toLowerCase()))),
    ).toEqual([]);
  });

  test('lets every token find its own crawler, shadowed by no other', () => {
    const identify = createCrawlerIdentifier(table);
    const shadowed = table.crawlers.flatMap(({ name, tokens }) =>
      tokens
        .map((token) => {
          const product = token.endsWith('/') ? `${token}1.0` : `${token} 1.0`;
          return { token, wanted: name, found: identify(`Mozilla/5.0 (compatible; ${product}; info)`)?.name };
        })
        .filter(({ found }) => found !== name),
    );
    expect(shadowed).toEqual([]);
  });

  test('gives an intent to AI crawlers and to no other', () => {
    expect(
      table.crawlers.filter(({ category, intent }) => (category === 'ai') !== (intent !== undefined)),
    ).toEqual([]);
  });

  test('describes no family without crawlers, nor one without a method', () => {
    const used = new Set(table.crawlers.map(({ family, name }) => family ?? name));
    expect(table.families.filter(({ name }) => !used.has(name))).toEqual([]);
    expect(
      table.families.filter(({ feeds: named, hosts }) => named === undefined && hosts === undefined),
    ).toEqual([]);
  });
});

describe('the published ranges', () => {
  test('hold a snapshot of every feed that a family names, and no feed that none names', () => {
    const named = table.families.flatMap((family) => family.feeds ?? []).sort();
    expect(feeds.map(({ name }) => name).sort()).toEqual(named);
    expect([...history.keys()].sort()).toEqual(named);
  });

  test.each(feeds.map((feed) => [feed.name, feed] as const))(
    '%s passes the guards of its own refresh',
    (name, feed) => {
      for (const { prefixes } of history.get(name)!)
        expect(guardPrefixes(feed, prefixes)).toHaveLength(prefixes.length);
    },
  );
});

describe('the referrer list', () => {
  test('names every host and utm_source once', () => {
    const list = loadReferrerList();
    const hosts = [...list.search.hosts, ...list.social.hosts, ...list.ai.flatMap((entry) => entry.hosts)];
    expect(repeated(hosts)).toEqual([]);
    expect(repeated(list.ai.flatMap((entry) => entry.utm_sources))).toEqual([]);
  });

  test('spells an assistant operator as the crawler table does, so that fetches and visits join', () => {
    const operators = new Set(table.crawlers.map(({ operator }) => operator));
    const unmatched = loadReferrerList()
      .ai.map(({ operator }) => operator)
      .filter((operator) => !operators.has(operator));
    // It sends visitors but runs no crawler of its own that names itself.
    expect(unmatched).toEqual(['Komo']);
  });
});

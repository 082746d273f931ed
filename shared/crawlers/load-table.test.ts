import { describe, expect, test } from 'vitest';
import { createHostClassifier } from './classify-host.js';
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

  test('assigns every token to one crawler', () => {
    expect(
      repeated(table.crawlers.flatMap(({ tokens }) => tokens.map((token) => token.toLowerCase()))),
    ).toEqual([]);
  });

  test('every token finds its own crawler, hidden by no other', () => {
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

  test('has an intent for AI crawlers only', () => {
    expect(
      table.crawlers.filter(({ category, intent }) => (category === 'ai') !== (intent !== undefined)),
    ).toEqual([]);
  });

  test('has no family without crawlers, and none without a method', () => {
    const used = new Set(table.crawlers.map(({ family, name }) => family ?? name));
    expect(table.families.filter(({ name }) => !used.has(name))).toEqual([]);
    expect(
      table.families.filter(({ feeds: named, hosts }) => named === undefined && hosts === undefined),
    ).toEqual([]);
  });
});

describe('the published ranges', () => {
  test('include a snapshot of every feed that a family names, and no unused feed', () => {
    const named = table.families.flatMap((family) => family.feeds ?? []).sort();
    expect(feeds.map(({ name }) => name).sort()).toEqual(named);
    expect([...history.keys()].sort()).toEqual(named);
  });

  test.each(feeds.map((feed) => [feed.name, feed] as const))(
    '%s passes its own refresh guards',
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
    const sources = list.ai.flatMap((entry) => entry.utm_sources);
    expect(repeated(sources)).toEqual([]);
    expect(list.ordinary_words.filter((word) => !sources.includes(word))).toEqual([]);
  });

  test('lists no host that sends visitors as spam', () => {
    const list = loadReferrerList();
    const { search, social, ai, spam } = list;
    const sending = [...search.hosts, ...social.hosts, ...ai.flatMap((entry) => entry.hosts)];
    const classify = createHostClassifier(list);
    const classOf = (host: string) => classify(host).referral.referrer_class;
    expect(sending.filter((host) => classOf(host) === 'spam')).toEqual([]);
    expect(spam.hosts.length).toBeGreaterThan(2_000);
    const known = spam.hosts.filter((host) => classOf(host) !== 'spam');
    // The public list has a search engine that browser extensions install.
    expect(known).toEqual(['searchencrypt.com']);
  });

  test('spells an assistant operator as the crawler table does, so that fetches and visits can be joined', () => {
    const operators = new Set(table.crawlers.map(({ operator }) => operator));
    const unmatched = loadReferrerList()
      .ai.map(({ operator }) => operator)
      .filter((operator) => !operators.has(operator));
    // These send visitors but run no crawler with its own name.
    expect(unmatched).toEqual([
      'Komo',
      'Felo',
      'Metaso',
      'Inflection AI',
      'Proton',
      'Consensus',
      'Blackbox AI',
      'Monica',
      'Sider',
      'OpenRouter',
      'T3 Chat',
      'Venice',
      'Scira',
      'StepFun',
      'iFlytek',
      'Jasper',
      'Elicit',
      'Merlin',
      'DeepAI',
      'Arc',
    ]);
  });
});

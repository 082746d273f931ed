import { expect, it, test } from 'vitest';
import { loadRuleData } from './crawler-rules.js';
import { createSharedNetworkOf } from './shared-networks.js';

const at = Date.parse('2026-11-21T12:00:00Z');
const ruleData = loadRuleData();
const sharedNetworkOf = createSharedNetworkOf(ruleData);

test.each([
  ['66.249.66.1', 15_169, 'search_crawler'],
  ['10.1.2.3', 13_335, 'own_network'],
  ['100.64.0.9', 0, 'own_network'],
  ['127.0.0.1', 0, 'own_network'],
  ['::1', 0, 'own_network'],
  ['fd00::7', 0, 'own_network'],
  ['20.171.206.9', 8_075, 'ai_operator'],
  ['203.0.113.9', 15_169, 'search_engine'],
  ['203.0.113.9', 13_335, 'cdn'],
  ['203.0.113.9', 21_928, 'carrier'],
  ['203.0.113.9', 60_729, 'anonymiser'],
  ['203.0.113.9', 64_500, null],
  ['2001:db8::7', 0, null],
])('%s of AS %d: %s', (address, asn, kind) => {
  expect(sharedNetworkOf(address, asn, at)).toBe(kind);
});

it('finds every range that verifies a search engine’s crawlers, and no range of a fetcher', () => {
  const feed = (name: string) => ruleData.history.get(name)!.at(-1)!.prefixes[0]!.split('/')[0]!;
  for (const name of [
    'google-common-crawlers',
    'google-special-crawlers',
    'bingbot',
    'applebot',
    'duckduckbot',
  ])
    expect(sharedNetworkOf(feed(name), 0, at), name).toBe('search_crawler');
  expect(sharedNetworkOf(feed('google-user-triggered-fetchers'), 0, at)).not.toBe('search_crawler');
  expect(sharedNetworkOf(feed('uptimerobot'), 0, at)).toBe('known_service');
});

import { describe, expect, test } from 'vitest';
import { loadCrawlerTable } from '../crawlers/load-table.js';
import { namedCrawlers, robotsPolicyOf } from './robots-policy.js';

const { crawlers } = loadCrawlerTable();
const of = (name: string) => {
  const entry = crawlers.find((one) => one.name === name)!;
  return robotsPolicyOf({
    name,
    family: entry.family ?? name,
    category: entry.category,
    aiIntent: entry.intent ?? '',
  });
};

describe('robots.txt', () => {
  test.each([
    ['Googlebot', ['Googlebot'], true],
    ['Googlebot-Image', ['Googlebot-Image', 'Googlebot'], true],
    ['YandexImages', ['YandexImages', 'Yandex'], true],
    ['YandexFavicons', ['YandexFavicons', 'Yandex'], false],
    ['AdsBot-Google', ['AdsBot-Google'], false],
    ['MJ12bot', ['MJ12bot'], true],
    ['Sogou Spider', ['Sogou'], true],
    ['archive.org_bot', ['archive.org_bot'], true],
    ['GPTBot', ['GPTBot'], true],
    ['meta-externalads', ['meta-externalads'], true],
    ['meta-externalagent', ['meta-externalagent'], true],
    ['SemrushBot-BA', ['SemrushBot-BA'], true],
    ['AdsBot-Google-Mobile-Apps', ['AdsBot-Google-Mobile-Apps'], false],
    ['Baiduspider-ads', ['Baiduspider-ads', 'Baiduspider'], true],
  ])('is read by %s under its own name, then under others', (name, tokens, followsWildcardGroup) => {
    expect(of(name)).toEqual({ tokens, followsWildcardGroup });
  });

  test.each([
    'ChatGPT-User',
    'Claude-User',
    'UptimeRobot',
    'Feedly',
    'Google-Site-Verification',
    'BingPreview',
  ])('does not apply to %s, which fetches on request', (name) => expect(of(name)).toBeNull());

  test('every crawler with its own rule here is in the table', () => {
    const known = new Set(crawlers.map(({ name }) => name));
    expect(namedCrawlers.filter((name) => !known.has(name))).toEqual([]);
  });
});

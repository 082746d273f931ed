import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadReferrerList } from '../../../shared/crawlers/referrers.js';
import { createClassifyReferrerStep, hostOfReferrer } from './classify-referrer.js';

const list = loadReferrerList();
const classify = createClassifyReferrerStep(list, 100);
const from = (referrer: string, query = '', siteDomain: string | null = 'example.com') => {
  const { referrer_domain, referrer_class, ai_operator } = classify({
    referrer,
    query,
    siteDomain,
    host: 'shop.example.net',
  });
  return [referrer_domain, referrer_class, ai_operator];
};

describe('classifyReferrer', () => {
  test.each([
    ['', '', 'direct', ''],
    ['-', '', 'direct', ''],
    ['nonsense', '', 'direct', ''],
    ['https://example.com/a', 'example.com', 'internal', ''],
    ['https://www.example.com/a', 'example.com', 'internal', ''],
    ['http://shop.EXAMPLE.com:8080/a', 'shop.example.com', 'internal', ''],
    ['https://notexample.com/', 'notexample.com', 'external', ''],
    ['https://example.com.evil.net/', 'example.com.evil.net', 'external', ''],
    ['https://www.google.com/', 'google.com', 'search', ''],
    ['https://www.google.co.uk/search?q=x', 'google.co.uk', 'search', ''],
    ['https://docs.google.com/document', 'docs.google.com', 'external', ''],
    ['https://google.evil.com/', 'google.evil.com', 'external', ''],
    [
      'android-app://com.google.android.googlequicksearchbox/',
      'com.google.android.googlequicksearchbox',
      'search',
      '',
    ],
    ['https://cn.bing.com/search?q=chat', 'cn.bing.com', 'search', ''],
    ['https://yandex.com.tr/search/', 'yandex.com.tr', 'search', ''],
    ['https://uk.search.yahoo.com/', 'uk.search.yahoo.com', 'search', ''],
    ['https://l.facebook.com/l.php?u=x', 'l.facebook.com', 'social', ''],
    ['https://t.co/abc', 't.co', 'social', ''],
    ['https://netflix.com/', 'netflix.com', 'external', ''],
    ['https://chatgpt.com/', 'chatgpt.com', 'ai', 'OpenAI'],
    ['https://www.perplexity.ai/search/x', 'perplexity.ai', 'ai', 'Perplexity'],
    ['https://labs.perplexity.ai/', 'labs.perplexity.ai', 'ai', 'Perplexity'],
    ['https://gemini.google.com/app', 'gemini.google.com', 'ai', 'Google'],
    ['https://www.bing.com/chat?q=x', 'bing.com', 'ai', 'Microsoft'],
    ['https://www.bing.com/chatter', 'bing.com', 'search', ''],
    ['https://www.bing.com/search?q=/chat', 'bing.com', 'search', ''],
    ['https://kagi.com/assistant/1', 'kagi.com', 'ai', 'Kagi'],
    ['https://kagi.com/search?q=x', 'kagi.com', 'search', ''],
    ['https://yiyan.baidu.com/', 'yiyan.baidu.com', 'ai', 'Baidu'],
    ['https://www.baidu.com/s?wd=x', 'baidu.com', 'search', ''],
    ['https://x.com/i/grok?id=1', 'x.com', 'ai', 'xAI'],
  ])('%s', (referrer, domain, kind, operator) => {
    expect(from(referrer)).toEqual([domain, kind, operator]);
  });

  test.each([
    ['utm_source=chatgpt.com', 'OpenAI'],
    ['a=1&utm_source=ChatGPT.com&utm_medium=x', 'OpenAI'],
    ['utm_source=perplexity%2Eai', 'Perplexity'],
    ['utm_source=copilot.com', 'Microsoft'],
    ['utm_source=claude.ai', 'Anthropic'],
  ])('takes the assistant from %s where no referrer names one', (query, operator) => {
    expect(from('', query)).toEqual(['', 'ai', operator]);
    expect(from('https://www.google.com/', query)).toEqual(['google.com', 'ai', operator]);
  });

  test.each([
    'utm_source=newsletter',
    'xutm_source=chatgpt.com',
    'utm_source=%E0%A4%A',
    'utm_source=',
    'utm_source=chatgpt.com.evil',
  ])('takes no assistant from %s', (query) => expect(from('', query)).toEqual(['', 'direct', '']));

  test('a link within the site stays internal whatever utm_source it carries on', () => {
    expect(from('https://example.com/a', 'utm_source=chatgpt.com')).toEqual(['example.com', 'internal', '']);
  });

  test('the referrer that names an assistant wins over utm_source', () => {
    expect(from('https://claude.ai/', 'utm_source=chatgpt.com')).toEqual(['claude.ai', 'ai', 'Anthropic']);
  });

  test('for an unknown website the host asked for stands in', () => {
    expect(from('https://shop.example.net/a', '', null)).toEqual(['shop.example.net', 'internal', '']);
  });

  test('answers the same for a host seen before', () => {
    const twice = ['https://www.bing.com/chat', 'https://www.bing.com/search'].map((referrer) => [
      from(referrer),
      from(referrer),
    ]);
    for (const [first, second] of twice) expect(second).toEqual(first);
    expect(twice[0]![0]).not.toEqual(twice[1]![0]);
  });
});

test('reads the host as the URL parser does', () => {
  fc.assert(
    fc.property(
      fc.webUrl({
        withQueryParameters: true,
        withFragments: true,
        authoritySettings: { withUserInfo: true, withPort: true },
      }),
      (url) => {
        const expected = new URL(url).hostname.replace(/^www\./, '');
        expect(hostOfReferrer(url)).toBe(expected);
      },
    ),
  );
});

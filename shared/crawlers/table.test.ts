import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/harness/runs.js';
import { productName } from './generic-bot.js';
import { loadCrawlerTable, loadFeeds, loadRangeHistory } from './load-table.js';
import { createRangeVerifier } from './range-verifier.js';
import { createCrawlerIdentifier } from './table.js';
import { createTokenIndex } from './token-index.js';

const table = loadCrawlerTable();
const identify = createCrawlerIdentifier(table);
const samples = createRequire(import.meta.url)('crawler-user-agents') as Array<{ instances?: string[] }>;

const smartphone =
  'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.69 Mobile Safari/537.36';

describe('identifyCrawler', () => {
  test('recognises every sample user agent of the public crawler list as a bot', () => {
    const agents = samples.flatMap(({ instances = [] }) => instances);
    expect(agents.length).toBeGreaterThan(2_000);
    // Apps for browsing. The public list takes Android's build, the app or its view for a bot.
    const people = [
      /Build\/AP3A\.240617\.008; wv\).* Instagram /,
      /MetaIAB Facebook$/,
      /Code\/1\.115\.0 .*Electron\//,
      /Trae\/1\.107\.1 .*Electron\//,
      /Fluid\/0\.9\.6 Safari\//,
    ];
    const unrecognised = agents.filter((agent) => identify(agent) === null);
    expect(unrecognised.filter((agent) => !people.some((one) => one.test(agent)))).toEqual([]);
    expect(unrecognised).toHaveLength(people.length);
  });

  test.each([
    [
      `${smartphone} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
      'Googlebot',
      'smartphone',
      'Google',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/131.0.0.0 Safari/537.36',
      'Googlebot',
      'desktop',
      'Google',
    ],
    ['Googlebot/2.1 (+http://www.google.com/bot.html)', 'Googlebot', 'desktop', 'Google'],
    ['Googlebot-Image/1.0', 'Googlebot-Image', '', 'Google'],
    [`${smartphone} (compatible; GoogleOther)`, 'GoogleOther', '', 'Google'],
    [
      'AdsBot-Google-Mobile (+http://www.google.com/mobile/adsbot.html)',
      'AdsBot-Google-Mobile',
      '',
      'Google',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0 Safari/537.36',
      'bingbot',
      'desktop',
      'Bing',
    ],
    [
      `${smartphone}  (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)`,
      'bingbot',
      'mobile',
      'Bing',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
      'Applebot',
      '',
      'Apple',
    ],
    [
      'Mozilla/5.0 (compatible; Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html)',
      'Baiduspider',
      '',
      'Baidu',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
      'ChatGPT-User',
      '',
      'OpenAI',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
      'ClaudeBot',
      '',
      'Anthropic',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
      'Claude-User',
      '',
      'Anthropic',
    ],
    ['Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)', 'Sogou Spider', '', 'Sogou'],
    ['Screaming Frog SEO Spider/21.0', 'Screaming Frog SEO Spider', '', 'Screaming Frog SEO Spider'],
    [
      'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      'facebookexternalhit',
      '',
      'Meta',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
      'iMessage Preview',
      '',
      'iMessage Preview',
    ],
    ['curl/8.5.0', 'curl', '', 'curl'],
    ['python-requests/2.31.0', 'python-requests', '', 'python-requests'],
    ['okhttp/4.12.0', 'okhttp', '', 'okhttp'],
    ['', 'No user agent', '', 'No user agent'],
    ['-', 'No user agent', '', 'No user agent'],
  ])('%s', (userAgent, name, variant, family) => {
    expect(identify(userAgent)).toMatchObject({ name, variant, family });
  });

  test.each([
    ['GPTBot/1.2', 'training'],
    ['OAI-SearchBot/1.0', 'search'],
    ['Perplexity-User/1.0', 'fetcher'],
    ['meta-externalagent/1.1', 'training'],
    ['Meta-ExternalFetcher/1.1', 'fetcher'],
    ['MistralAI-User/1.0', 'fetcher'],
  ])('returns the purpose of %s', (token, aiIntent) => {
    expect(identify(`Mozilla/5.0 (compatible; ${token})`)).toMatchObject({ category: 'ai', aiIntent });
  });

  test('a token counts only as a whole word', () => {
    for (const around of ['x%s', '%sx', 'not-%s', '%s-ng', '%s_2', 'Ä%s', '%sé', '机%s', '𝐀%s', '%s𝐀']) {
      expect(identify(around.replace('%s', 'Googlebot'))?.family, around).not.toBe('Google');
    }
  });

  test('prefers the crawler to the tool that it uses, in either order', () => {
    expect(identify('Mozilla/5.0 HeadlessChrome/119.0 (compatible; AhrefsBot/7.0)')?.name).toBe('AhrefsBot');
    expect(identify('AhrefsBot/7.0 python-requests/2.31')?.name).toBe('AhrefsBot');
  });

  test('a bot in no table gets its product name and is never verified', () => {
    const identity = identify('Mozilla/5.0 (compatible; ExampleCorpBot/2.1; +https://example.com/bot)');
    expect(identity).toMatchObject({
      name: 'ExampleCorpBot',
      category: 'other',
      method: 'none',
      operator: '',
    });
    expect(identify('Mozilla/5.0 (compatible; Google bot thing)')?.method).toBe('none');
  });

  test.each([
    'Äbot/1.0 crawler',
    '\0bot\0',
    'bot/1.0',
    'Spider',
    'Mozilla/5.0 (compatible; +http://www.example.com/bot)',
  ])('a name that any bot may have says nothing about its category: %j', (userAgent) => {
    expect(identify(userAgent)).toMatchObject({ category: 'other', method: 'none' });
  });

  test('accepts any text and returns a name of bounded length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const identity = identify(`${text} bot`);
        expect(identity === null || (identity.name.length > 0 && identity.name.length <= 64)).toBe(true);
      }),
    );
  });
});

describe('productName', () => {
  test.each([
    ['Mozilla/5.0 (compatible; FooBot/1.2.3; +http://foo.example/bot.html)', 'FooBot'],
    ['Mozilla/5.0 (compatible; Kangaroo Bot/1.0)', 'Kangaroo Bot'],
    ['magic-tool-2.0 (https://robots.example)', 'magic-tool'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36', 'Unnamed bot'],
    ['Äbot/1.0 crawler', 'Äbot'],
    ['Mozilla/5.0 (compatible; 百度bot/2.0)', '百度bot'],
    ['Ботcrawler', 'Ботcrawler'],
    [`bot${'𝐀'.repeat(40)}`, `bot${'𝐀'.repeat(22)}`],
  ])('%s', (userAgent, name) => expect(productName(userAgent)).toBe(name));
});

describe('createTokenIndex', () => {
  test('finds the same token as a naive whole-word search', () => {
    const tokens = ['ab', 'ab cd', 'cd', 'a-b', 'd.c', 'cc/'];
    const find = createTokenIndex(tokens.map((token) => ({ tokens: [token], weak: false, value: token })));
    const naive = (text: string): string | null => {
      const found = tokens
        .map((token) => {
          const escaped = token.replace(/[.]/g, '\\.');
          const end = token.endsWith('/') ? '' : '(?![\\p{L}\\w.!-])';
          return {
            token,
            at: text.search(new RegExp(`(?<![\\p{L}\\w.!-])${escaped.replaceAll('-', '[-]')}${end}`, 'iu')),
          };
        })
        .filter(({ at }) => at >= 0)
        .sort((a, b) => a.at - b.at || b.token.length - a.token.length);
      return found[0]?.token ?? null;
    };
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', 'c', 'd', ' ', '-', '.', '/', '(', 'é', '𝐀', '·') }),
        (text) => {
          expect(find(text)).toBe(naive(text));
        },
      ),
      { numRuns: runs(5_000) },
    );
  });
});

describe('verifyByRanges', () => {
  const verify = createRangeVerifier(table.families, loadFeeds(), loadRangeHistory());

  test.each([
    ['Google', '66.249.66.1', 'inside'],
    ['Google', '2001:4860:4801:10::1', 'inside'],
    ['Google', '::ffff:66.249.66.1', 'inside'],
    ['Google', '34.1.2.3', 'outside'],
    ['Bing', '157.55.39.1', 'inside'],
    ['OpenAI', '20.171.206.9', 'inside'],
    ['OpenAI', '66.249.66.1', 'outside'],
    ['Anthropic', '216.73.216.10', 'inside'],
    ['Google', 'not an address', 'outside'],
    ['Yandex', '5.45.192.1', null],
    ['nobody', '1.1.1.1', null],
  ])('%s %s: %s', (family, ip, finding) =>
    expect(verify(family, ip, Date.parse('2026-08-24'))).toBe(finding),
  );

  test.each([
    ['OpenAI', '2026-08-28T12:00:00Z', 'unsure'],
    ['Anthropic', '2026-08-28T12:00:00Z', 'outside'],
    ['Anthropic', '2026-09-20T12:00:00Z', 'outside'],
    ['Anthropic', '2026-09-21T00:00:00Z', 'unsure'],
  ])(
    '%s is less certain for an address outside its list the older that is: at %s %s',
    (family, at, finding) => expect(verify(family, '8.8.8.8', Date.parse(at))).toBe(finding),
  );

  test('refuses to start without a snapshot, instead of classifying every crawler of the family as spoofed', () => {
    expect(() => createRangeVerifier(table.families, loadFeeds(), new Map())).toThrow(/no snapshot/);
    expect(() => createRangeVerifier(table.families, [], loadRangeHistory())).toThrow(/unknown feed/);
  });
});

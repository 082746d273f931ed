import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/harness/runs.js';
import { crawlDelayOf, createGroupFinder, createRuleMatcher, rulesOf } from './match-rules.js';
import { parseRobots } from './parse-robots.js';

/**
 * The cases of Google's robots.txt parser (github.com/google/robotstxt, robots_test.cc) and of RFC 9309, with their names there. The two
 * differ in one case: `%62%61%7A` is decoded here, as in the RFC's table.
 */

const allows = (text: string, agent: string, url: string) =>
  createRuleMatcher(rulesOf(createGroupFinder(parseRobots(text))({ tokens: [agent] })))(url) === null;

/** Each URL with whether it is allowed. */
type Case = readonly [name: string, agent: string, text: string, urls: Readonly<Record<string, boolean>>];

const cases: readonly Case[] = [
  ['an empty file allows everything', 'FooBot', '', { '/': true }],
  ['GoogleOnly_SystemTest: no rule', 'FooBot', 'user-agent: FooBot\n', { '/': true }],
  ['GoogleOnly_SystemTest', 'FooBot', 'user-agent: FooBot\ndisallow: /\n', { '/': false, '/x/y': false }],
  ['GoogleOnly_SystemTest: without an agent', 'FooBot', 'foo: FooBot\ndisallow: /\n', { '/': true }],
  [
    'ID_LineSyntax_Line: keys without their colon',
    'FooBot',
    'user-agent FooBot\ndisallow /\n',
    { '/x/y': false },
  ],
  [
    'ID_LineSyntax_Line: a value with white space has to have its colon',
    'FooBot',
    'user-agent: FooBot\ndisallow / x\n',
    { '/x/y': true },
  ],
  [
    'ID_LineSyntax_Groups: groups end at the next user-agent line after a rule',
    'FooBot',
    [
      'allow: /foo/bar/\n\n',
      'user-agent: FooBot\ndisallow: /\nallow: /x/\nuser-agent: BarBot\ndisallow: /\nallow: /y/\n\n\n',
      'allow: /w/\nuser-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /\n',
    ].join(''),
    { '/x/b': true, '/z/d': true, '/y/c': false, '/w/a': false, '/foo/bar/': false },
  ],
  [
    'ID_LineSyntax_Groups: rules belong to all agents before them',
    'BarBot',
    'user-agent: FooBot\ndisallow: /\nuser-agent: BarBot\nuser-agent: BazBot\ndisallow: /y/\n',
    { '/y/c': false, '/x/': true },
  ],
  [
    'ID_LineSyntax_Groups_OtherRules: a sitemap line between does not end a group',
    'BarBot',
    'User-agent: BarBot\nSitemap: https://foo.bar/sitemap\nUser-agent: *\nDisallow: /\n',
    { '/': false },
  ],
  [
    'ID_LineSyntax_Groups_OtherRules: nor does a line that says nothing known',
    'FooBot',
    'User-agent: FooBot\nInvalid-Unknown-Line: unknown\nUser-agent: *\nDisallow: /\n',
    { '/': false },
  ],
  [
    'RFC 9309 §2.2.4: crawl-delay inside a group does not end it',
    'FooBot',
    'User-agent: FooBot\nDisallow: /a\nCrawl-delay: 10\nDisallow: /b\n',
    { '/a': false, '/b': false, '/c': true },
  ],
  [
    'ID_REPLineNamesCaseInsensitive',
    'FooBot',
    'UsEr-AgEnT: FooBot\nAlLoW: /x/\nDiSaLlOw: /\n',
    { '/x/y': true, '/a/b': false },
  ],
  [
    'ID_VerifyValidUserAgentsToObey: a product token with - and _',
    'Foo_-Bot',
    'user-agent: foo_-bot/1.0\ndisallow: /\n',
    { '/': false },
  ],
  [
    'ID_UserAgentValueCaseInsensitive',
    'foobot',
    'User-Agent: FOO BAR\nAllow: /x/\nUser-Agent: FOOBOT\nDisallow: /\n',
    { '/x/y': false },
  ],
  [
    'GoogleOnly_AcceptUserAgentUpToFirstSpace',
    'Foo',
    'User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n',
    { '/x/y': true, '/': false },
  ],
  [
    'ID_GlobalGroups_Secondary: the group of * for who has none',
    'QuxBot',
    'user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n',
    { '/x': true },
  ],
  [
    'ID_GlobalGroups_Secondary: and for nobody else',
    'FooBot',
    'user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n',
    { '/x': false },
  ],
  [
    'ID_GlobalGroups: * followed by a word is *',
    'QuxBot',
    'user-agent: * baz\ndisallow: /\n',
    { '/': false },
  ],
  [
    'a group without rules is a group: * does not count',
    'FooBot',
    'User-agent: FooBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n',
    { '/x': true },
  ],
  [
    'ID_AllowDisallow_Value_CaseSensitive',
    'FooBot',
    'user-agent: FooBot\ndisallow: /X/\n',
    { '/x/y': true, '/X/y': false },
  ],
  [
    'ID_LongestMatch: disallow',
    'FooBot',
    'user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n',
    { '/x/page.html': false, '/x/page': true, '/x/': true },
  ],
  [
    'ID_LongestMatch: allow',
    'FooBot',
    'user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n',
    { '/x/page.html': true, '/x/': false },
  ],
  ['ID_LongestMatch: both empty', 'FooBot', 'user-agent: FooBot\ndisallow:\nallow:\n', { '/x': true }],
  ['ID_LongestMatch: equal', 'FooBot', 'user-agent: FooBot\ndisallow: /\nallow: /\n', { '/x/y': true }],
  [
    'ID_LongestMatch: of a directory without its slash',
    'FooBot',
    'user-agent: FooBot\ndisallow: /x\nallow: /x/\n',
    { '/x': false, '/x/': true },
  ],
  [
    'ID_LongestMatch: equal, both pages',
    'FooBot',
    'user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/page.html\n',
    { '/x/page.html': true },
  ],
  [
    'ID_LongestMatch: a wildcard counts as a character',
    'FooBot',
    'user-agent: FooBot\nallow: /page\ndisallow: /*.html\n',
    { '/page.html': false, '/page': true },
  ],
  [
    'ID_LongestMatch: and the longer path outweighs it',
    'FooBot',
    'user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n',
    { '/x/page.html': true, '/x/y.html': false },
  ],
  [
    'ID_LongestMatch: only the specific group counts',
    'FooBot',
    'User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/\n',
    { '/x/page': true, '/y/page': false },
  ],
  [
    'RFC 9309 §2.2.2: rules of groups for the same token are one group',
    'ExampleBot',
    'user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz\n',
    { '/foo': false, '/bar': false, '/baz': false, '/qux': true },
  ],
  [
    'ID_Encoding: a query is compared as it stands',
    'FooBot',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n',
    { '/foo/bar?qux=taz&baz=http://foo.bar?tar&par': true, '/foo/bar?qux=taz': false },
  ],
  [
    'ID_Encoding: UTF-8 in the rule',
    'FooBot',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/ツ\n',
    { '/foo/bar/%E3%83%84': true, '/foo/bar/%e3%83%84': true, '/foo/bar/ツ': true, '/foo/bar/%E3': false },
  ],
  [
    'ID_Encoding: UTF-8, percent-encoded in the rule',
    'FooBot',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n',
    { '/foo/bar/%E3%83%84': true, '/foo/bar/ツ': true },
  ],
  [
    'RFC 9309 §2.2.2: %62%61%7A is baz, in the rule and in the URL',
    'FooBot',
    'User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\nAllow: /qux\n',
    { '/foo/bar/baz': true, '/foo/bar/%62%61%7A': true, '/foo/bar/b%61z': true, '/%71ux': true },
  ],
  [
    'RFC 9309 §2.2.2: a reserved character is not its encoded form',
    'FooBot',
    'User-agent: FooBot\nDisallow: /foo%2Fbar\nDisallow: /a?b\n',
    { '/foo/bar': true, '/foo%2fbar': false, '/a?b': false, '/a%3Fb': true },
  ],
  [
    'ID_SpecialCharacters: * in the middle and at the end',
    'FooBot',
    'User-agent: FooBot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n',
    {
      '/foo/bar/quz': false,
      '/foo/quz': true,
      '/foo//quz': true,
      '/foo/bax/quz': true,
    },
  ],
  [
    'ID_SpecialCharacters: $ at the end',
    'FooBot',
    'User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n',
    { '/foo/bar': false, '/foo/bar/qux': true, '/foo/bar/': true, '/foo/bar/baz': true, '/foo/bar?x': true },
  ],
  [
    'ID_SpecialCharacters: # begins a comment',
    'FooBot',
    'User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n',
    { '/foo/bar': true, '/foo/quz': false },
  ],
  [
    'GoogleOnly_IndexHTMLisDirectory',
    'FooBot',
    'User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n',
    {
      '/allowed-slash/': true,
      '/allowed-slash/index.htm': false,
      '/allowed-slash/index.html': true,
      '/anyother-url': false,
    },
  ],
  [
    'RFC 9309 §2.2.3: an encoded * or $ is the character itself',
    'FooBot',
    'User-agent: FooBot\nDisallow: /path/file-with-a-%2A.html\nDisallow: /path/foo-%24\n',
    {
      '/path/file-with-a-*.html': false,
      '/path/file-with-a-x.html': true,
      '/path/foo-$': false,
      '/path/foo-': true,
    },
  ],
  [
    'RFC 9309 §5.1: example',
    'foobot',
    [
      'User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n',
      'User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n',
      'User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n',
    ].join(''),
    { '/example/page.html': true, '/example/allowed.gif': true, '/publications/': false },
  ],
  [
    'RFC 9309 §5.1: everybody else of the example',
    'other',
    'User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n',
    { '/a.gif': false, '/a.gif?x': true, '/example/x': false, '/publications/x': true },
  ],
  [
    'RFC 9309 §5.2: the longest match',
    'foobot',
    'User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n',
    { '/example/page/disallowed.gif': false, '/example/page/x': true },
  ],
  [
    'RFC 9309 §2.2.2: /robots.txt is always allowed',
    'FooBot',
    'User-agent: *\nDisallow: /\nDisallow: /robots.txt\n',
    { '/robots.txt': true, '/robots.txt.bak': false },
  ],
  [
    'ID_LinesNumbersAreCountedCorrectly: CR, LF and CRLF end lines',
    'FooBot',
    'User-Agent: foo\rAllow: /some/path\r\nUser-Agent: FooBot\n\r\nDisallow: /\r',
    { '/': false },
  ],
  ['ID_UTF8ByteOrderMarkIsSkipped', 'FooBot', '\uFEFFUser-Agent: FooBot\nDisallow: /\n', { '/': false }],
  [
    'GoogleOnly_LineTooLong: what is beyond the longest line is cut off',
    'FooBot',
    `user-agent: FooBot\ndisallow: /${'x'.repeat(20_000)}/qux\n`,
    { [`/${'x'.repeat(17_000)}`]: false, '/fux': true },
  ],
  [
    'misspelt keys are taken as Google takes them',
    'FooBot',
    'useragent: FooBot\ndissallow: /a\ndissalow: /b\ndisalow: /c\ndiasllow: /d\ndisallaw: /e\n',
    { '/a': false, '/b': false, '/c': false, '/d': false, '/e': false, '/f': true },
  ],
  [
    'a rule that begins with neither / nor * matches nothing',
    'FooBot',
    'user-agent: *\ndisallow: x\n',
    { '/x': true },
  ],
  [
    'TestPathMatching: wildcards',
    'FooBot',
    'user-agent: *\ndisallow: /fish*.php\ndisallow: /*.asp$\ndisallow: /a**b\ndisallow: /end*$\n',
    {
      '/fish.php': false,
      '/fishheads/catfish.php?parameters': false,
      '/Fish.PHP': true,
      '/fish.asp': false,
      '/fish.asp?x': true,
      '/fish.aspx': true,
      '/a/x/b': false,
      '/ba': true,
      '/endless': false,
    },
  ],
  [
    'an anchored part may not overlap what was matched before it',
    'FooBot',
    'user-agent: *\ndisallow: /ab*ba$\n',
    { '/aba': true, '/abba': false, '/abxbaba': false },
  ],
  [
    'a crawler whose name is no product token is addressed by it whole',
    'MJ12bot',
    'user-agent: MJ\ndisallow: /\n\nuser-agent: mj12bot\ndisallow: /b\n',
    { '/a': true, '/b': false },
  ],
  [
    'of a name in the file the product token counts',
    'Googlebot',
    'user-agent: Googlebot2.1\ndisallow: /\n',
    { '/': false },
  ],
];

describe('robots.txt', () => {
  test.each(cases)('%s', (_name, agent, text, urls) => {
    const found = Object.fromEntries(Object.keys(urls).map((url) => [url, allows(text, agent, url)]));
    expect(found).toEqual(urls);
  });

  test('returns its sitemaps at any position, also on a last line without a line end', () => {
    const text =
      'Sitemap: https://a.example/1\nuser-agent: *\nsite-map: https://a.example/2 # x\nsitemap:\nSITEMAP:/3';
    expect(parseRobots(text).sitemaps).toEqual(['https://a.example/1', 'https://a.example/2', '/3']);
  });

  test("returns the greatest crawl-delay of a crawler's groups, and a crawl-delay neither begins nor ends a group", () => {
    const text =
      'user-agent: a\nCrawl-delay: 2.5\nuser-agent: b\ndisallow: /x\ncrawl-delay: 4 # s\n\nuser-agent: *\ncrawl-delay: soon\n';
    const groupsFor = createGroupFinder(parseRobots(text));
    const delayOf = (token: string) => crawlDelayOf(groupsFor({ tokens: [token] }));
    expect(['a', 'b', 'other'].map(delayOf)).toEqual([4, 4, 0]);
    expect(rulesOf(groupsFor({ tokens: ['a'] }))).toEqual([{ type: 'disallow', path: '/x' }]);
  });

  test('returns the disallowing rule as written', () => {
    const judge = createRuleMatcher(
      rulesOf(
        createGroupFinder(parseRobots('user-agent: *\nallow: /\nDisallow: /%7Ea*  # no\n'))({
          tokens: ['x'],
        }),
      ),
    );
    expect(judge('/~ab')).toEqual({ type: 'disallow', path: '/%7Ea*' });
  });

  test('compiles repeated rules once, and returns the first of them', () => {
    const rule = { type: 'disallow', path: '/*b*c' } as const;
    const others = Array.from({ length: 50 }, () => ({ ...rule }));
    const costOf = (rules: Parameters<typeof createRuleMatcher>[0]) => {
      const effort = { left: 1_000_000 };
      createRuleMatcher(rules)(`/${'a'.repeat(1_000)}`, effort);
      return 1_000_000 - effort.left;
    };
    expect(costOf([rule, ...others])).toBe(costOf([rule]));
    expect(createRuleMatcher([rule, ...others])('/b/c')).toBe(rule);
  });

  test('uses the first token that the file names, and * only for crawlers that follow it', () => {
    const groupsFor = createGroupFinder(
      parseRobots('user-agent: *\ndisallow: /\n\nuser-agent: Googlebot\ndisallow: /g\n'),
    );
    expect(rulesOf(groupsFor({ tokens: ['Googlebot-Image', 'Googlebot'] }))).toEqual([
      { type: 'disallow', path: '/g' },
    ]);
    expect(rulesOf(groupsFor({ tokens: ['AdsBot-Google'], followsWildcardGroup: false }))).toEqual([]);
    expect(rulesOf(groupsFor({ tokens: ['bingbot'] }))).toHaveLength(1);
  });

  test('judges any rules like an exhaustive comparison', () => {
    const piece = fc.constantFrom('/', 'a', 'b', 'ab', '*', '%61', '%2A', '$', '?', '.');
    const path = fc.array(piece, { maxLength: 7 }).map((parts) => `/${parts.join('')}`);
    const rule = fc.record({ type: fc.constantFrom('allow' as const, 'disallow' as const), path });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), path, (rules, url) => {
        expect(createRuleMatcher(rules)(url)?.path ?? null).toEqual(slowVerdict(rules, url));
      }),
      { numRuns: runs(3_000) },
    );
  });
});

/** Exhaustive: compares each rule with each way to split the URL. */
function slowVerdict(rules: readonly { type: string; path: string }[], url: string): string | null {
  const decode = (text: string) => text.replaceAll('%61', 'a');
  // A URL's dot segments are resolved; those of a rule are not.
  const { href, origin } = new URL(`https://any.example${url}`);
  const path = decode(href.slice(origin.length)).replaceAll('*', '%2A').replaceAll('$', '%24');
  const patternOf = (text: string) => {
    const anchored = text.endsWith('$');
    const bare = decode(anchored ? text.slice(0, -1) : text).replaceAll('$', '%24');
    return anchored ? `${bare}$` : bare;
  };
  const matches = (pattern: string, rest: string): boolean => {
    if (pattern === '') return true;
    if (pattern === '$') return rest === '';
    if (pattern[0] === '*')
      return matches(pattern.slice(1), rest) || (rest !== '' && matches(pattern, rest.slice(1)));
    return rest[0] === pattern[0] && matches(pattern.slice(1), rest.slice(1));
  };
  const found = rules
    .map((rule, order) => ({ ...rule, order, length: patternOf(rule.path).length }))
    .filter((rule) => matches(patternOf(rule.path), path))
    .sort(
      (a, b) => b.length - a.length || (a.type < b.type ? -1 : Number(a.type > b.type)) || a.order - b.order,
    );
  return found[0]?.type === 'disallow' ? found[0].path : null;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from '../../pacing/turns.js';
import { createGroupFinder } from '../../robots/match-rules.js';
import { parseRobots } from '../../robots/parse-robots.js';
import { createJudging, judgeUrls } from './judge-urls.js';

/** Rules and URLs are untrusted: the website's owner writes the rules, and its clients choose the URLs. */

const groupsOf = (rules: readonly string[], bots: readonly string[]) => {
  const text = ['user-agent: *', ...rules.map((path) => `disallow: ${path}`)].join('\n');
  const find = createGroupFinder(parseRobots(text));
  return new Map(bots.map((bot) => [bot, find({ tokens: [bot] })]));
};

const askedFor = (url: string, botName = 'FooBot') => ({ botName, path: url, url, requests: 1, lastSeen: 7 });

const many = <T>(length: number, of: (index: number) => T) => Array.from({ length }, (_, index) => of(index));

/** Each rule is compared with every position of a path of this letter, and matches nowhere. */
const hostileRules = (count: number) => many(count, (index) => `/*aaaaaaaaaaaaaaaaaab${index}`);
const hostilePath = (index: number, length: number) => `/${index}${'a'.repeat(length)}`;

test('the total cost of URLs and rules is bounded for any number and length', async () => {
  for (const [length, count] of [
    [8_000, 12],
    [100, 400],
  ] as const) {
    const urls = many(count, (index) => askedFor(hostilePath(index, length)));
    const whole = 8_000_000;
    const judging = createJudging(createTurns(), whole);
    expect(await judgeUrls(urls, groupsOf(hostileRules(250), ['FooBot']), judging)).toBe(false);
    expect(judging.effort.left).toBeLessThanOrEqual(0);
    expect(judging.effort.left).toBeGreaterThan(-whole / 20);
    expect(await judgeUrls(urls.slice(0, 1), groupsOf(['/'], ['FooBot']), judging)).toBe(false);
  }
}, 120_000);

test('a URL that costs too much is skipped, and the others are judged', async () => {
  const rules = [...hostileRules(2_000), '/cart'];
  const judging = createJudging(createTurns());
  const urls = [askedFor(hostilePath(0, 8_000)), askedFor('/cart/1')];
  expect(await judgeUrls(urls, groupsOf(rules, ['FooBot']), judging)).toBe(false);
  expect([...judging.found.values()].map(({ url }) => url)).toEqual(['/cart/1']);
});

test('other tasks run in the meantime', async () => {
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextTurn();
      turns += 1;
    }
  })();
  const urls = many(60, (index) => askedFor(hostilePath(index, 8_000)));
  let now = 0;
  // Each read of the clock is one turn later.
  const judging = createJudging(createTurns({ now: () => (now += 25) }));
  await judgeUrls(urls, groupsOf(hostileRules(50), ['FooBot']), judging);
  isOver = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(60);
});

test('each crawler is judged by its own groups, and requests of one URL add up over versions', async () => {
  const text = 'user-agent: a\ndisallow: /x\n\nuser-agent: *\ndisallow: /y';
  const find = createGroupFinder(parseRobots(text));
  const groups = new Map(['a', 'b', 'c'].map((bot) => [bot, find({ tokens: [bot] })]));
  expect(groups.get('b')).toBe(groups.get('c'));
  const judging = createJudging(createTurns());
  const urls = ['a', 'b', 'c'].flatMap((bot) => [askedFor('/x', bot), askedFor('/y', bot)]);
  expect(await judgeUrls(urls, groups, judging)).toBe(true);
  expect(await judgeUrls(urls, groups, judging)).toBe(true);
  expect([...judging.found.values()].map(({ botName, url, requests }) => [botName, url, requests])).toEqual([
    ['a', '/x', 2],
    ['b', '/y', 2],
    ['c', '/y', 2],
  ]);
});

test('disallowed URLs are listed up to a limit, and the result reports that there were more', async () => {
  const urls = many(50_001, (index) => askedFor(`/cart/${index}`));
  const judging = createJudging(createTurns());
  expect(await judgeUrls(urls, groupsOf(['/cart'], ['FooBot']), judging)).toBe(false);
  expect(judging.found.size).toBe(50_000);
});

test('crawlers of one group share one set of groups, for any positions in the file', () => {
  const text = many(500, () => 'user-agent: *\nuser-agent: a\nallow:').join('\n');
  const find = createGroupFinder(parseRobots(text));
  const groups = many(50, (index) => find({ tokens: [`Bot${index}`] }));
  expect(new Set([...groups, find({ tokens: ['a'] })]).size).toBe(1);
  expect(groups[0]).toHaveLength(500);
});

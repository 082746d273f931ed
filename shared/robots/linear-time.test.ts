import fc from 'fast-check';
import { expect, it } from 'vitest';
import { growthOf, MOST_GROWTH } from '../../test/harness/growth.js';
import { runs } from '../../test/harness/runs.js';
import { candidatePaths, needsQuery } from './candidate-paths.js';
import { createGroupFinder, createRuleMatcher, rulesOf } from './match-rules.js';
import { parseRobots } from './parse-robots.js';

/** The website's owner writes the robots.txt, and anyone can request its URLs. So the time of any text must be linear in its length. */

const SIZE = 8 * 1024;

/** A prefix and the repeated text of the file, and the repeated text of the URL. */
type Shape = readonly [
  fileBegin: string,
  fileRepeat: string,
  fileEnd: string,
  urlRepeat: string,
  urlEnd: string,
];

const group = 'user-agent: *\n';

const shapes: readonly Shape[] = [
  ['', '\n', 'x', '/', ''],
  ['', '\r', '\n', '/', ''],
  ['', ' ', 'x', '/', ''],
  ['user-agent', ' ', ':', '/', ''],
  ['disallow \t', '\t', 'x y', '/', ''],
  ['', ':', '', '/', ''],
  ['', '#', '', '/', ''],
  ['', 'user-agent: a\n', '', '/', ''],
  ['', 'user-agent: *\ndisallow: /a\n', '', 'a', ''],
  ['', `user-agent: ${'a'.repeat(200)}\n`, '', '/', ''],
  ['', 'sitemap: /\n', '', '/', ''],
  [`${group}disallow: /`, 'a', 'b', 'a', ''],
  [`${group}disallow: /*`, 'a', 'b', 'a', ''],
  [`${group}disallow: /*`, 'ab', 'b$', 'ab', ''],
  [`${group}disallow: /*`, 'aaaaaaaaaaaaaaab', '', 'a', ''],
  [`${group}disallow: /`, '*', '', 'a', ''],
  [`${group}disallow: /`, '*a', '*b', 'a', ''],
  [`${group}disallow: /`, '*a', '$', 'a', 'b'],
  [`${group}disallow: /`, '*ab', '$', 'a', ''],
  [`${group}disallow: /`, '%', '', '%', ''],
  [`${group}disallow: /`, '%6', '', '%6', ''],
  [`${group}disallow: /`, '%61', '', '%61', ''],
  [`${group}disallow: /`, 'ツ', '', 'ツ', ''],
  [`${group}disallow: /`, '$', '', '$', ''],
  [`${group}allow: /`, '/', 'index.html', '/', 'index.html'],
  [group, 'disallow: *b*c\n', '', 'a', ''],
  [group, 'allow: *b\nallow: *c\nallow: *b/index.html\n', '', 'a', ''],
];

function cost([begin, repeat, end, urlRepeat, urlEnd]: Shape, size: number): void {
  const times = (text: string) => text.repeat(Math.ceil(size / text.length));
  const rules = rulesOf(createGroupFinder(parseRobots(begin + times(repeat) + end))({ tokens: ['FooBot'] }));
  createRuleMatcher(rules)(`/${times(urlRepeat)}${urlEnd}`);
  candidatePaths(rules, needsQuery(rules));
  candidatePaths(rules, false);
}

it.each(shapes.map((shape) => [JSON.stringify(shape.map((part) => part.slice(0, 40))), shape] as const))(
  'the time of a hostile file or URL is linear in its length: %s',
  (_, shape) => {
    expect(growthOf(SIZE, (size) => cost(shape, size))).toBeLessThan(MOST_GROWTH);
  },
  120_000,
);

it.each([
  ['/a', '*', 'b'],
  ['/a', '*?', 'b'],
  ['/*', 'a', '*b'],
  ['/', '%', '*'],
  ['/', '%6', '*'],
  ['/', '$', 'a'],
  ['/', 'ツ', '$'],
])(
  'the candidate paths of a rule are found in linear time: %s, then %s many times, then %s',
  (begin, repeat, end) => {
    const growth = growthOf(SIZE, (size) => {
      const path = begin + repeat.repeat(size / repeat.length) + end;
      const rules = [{ type: 'disallow' as const, path }];
      needsQuery(rules);
      candidatePaths(rules, false);
      candidatePaths(rules, true);
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  },
  120_000,
);

it('any file or URL of special characters is processed in linear time', () => {
  const parts = [
    'user-agent:',
    '*',
    'disallow:',
    'allow: ',
    '/',
    '$',
    '%',
    '%61',
    'a',
    'b',
    '?',
    '\n',
    ' ',
    '#',
    ':',
    group,
  ];
  const piece = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((texts) => texts.join(''));
  const some = piece.filter((text) => text !== '');
  fc.assert(
    fc.property(fc.tuple(piece, some, piece, some, piece), ([begin, ...rest]) => {
      const growth = growthOf(SIZE, (size) => cost([`${group}disallow: /${begin}`, ...rest], size));
      expect(growth).toBeLessThan(MOST_GROWTH);
    }),
    { numRuns: runs(150), interruptAfterTimeLimit: 20_000 },
  );
}, 120_000);

import { describe, expect, test } from 'vitest';
import { flagRules, flagsOf, type PatternFigures, patternFlags, patternTypeOf } from './classify-pattern.js';

test.each([
  ['/search?{params}', true, 'parameters'],
  ['/cart;{params}', false, 'parameters'],
  ['/blog/page/{page}', false, 'pagination'],
  ['/{year}/{month}/{slug}', false, 'date'],
  ['/events/{date}', false, 'date'],
  ['/orders/{number}', false, 'id'],
  ['/u/{uuid}/edit', false, 'id'],
  ['/p/{slug}.html', false, 'slug'],
  ['/media/{number}/{slug}.webp', false, 'file'],
  ['/robots.txt', false, 'file'],
  ['/{lang}/about', false, 'language'],
  ['/about', false, 'static'],
  ['/', false, 'static'],
])('%s is of type %s, %s', (pattern, hasQuery, type) => {
  expect(patternTypeOf(pattern, hasQuery)).toBe(type);
});

const CRAWL = 10_000;
const fine: PatternFigures = { requests: 100, redirected: 0, status_4xx: 0, status_5xx: 0 };
const flags = (given: Partial<PatternFigures>, type: Parameters<typeof flagsOf>[0] = 'slug') =>
  flagsOf(type, { ...fine, ...given }, CRAWL);

describe('a pattern is flagged', () => {
  test.each([
    ['server_errors', 2, { status_5xx: 2 }, { status_5xx: 1 }],
    ['high_error_rate', 20, { status_4xx: 20 }, { status_4xx: 19 }],
    ['redirect_heavy', 30, { redirected: 30 }, { redirected: 29 }],
    ['low_value', 50, { redirected: 25, status_4xx: 25 }, { redirected: 25, status_4xx: 24 }],
  ] as const)('%s from %s %, and not below', (flag, percent, from, below) => {
    expect(flagRules[flag].text).toContain(percent === 50 ? 'half' : `${percent} %`);
    expect(flags(from)).toContain(flag);
    expect(flags(below)).not.toContain(flag);
  });

  test.each([
    ['parameter_waste', 'parameters'],
    ['endless_space', 'date'],
    ['endless_space', 'pagination'],
  ] as const)('%s if URLs of type %s take enough of the crawl', (flag, type) => {
    expect(flags({}, type)).toEqual([flag]);
    expect(flags({ requests: 99 }, type)).toEqual([]);
    expect(flags({})).toEqual([]);
  });

  test('by no share of a few requests', () => {
    expect(flags({ requests: 10, status_5xx: 10 })).not.toEqual([]);
    expect(flags({ requests: 9, status_5xx: 9 })).toEqual([]);
  });

  test('with all applicable flags', () => {
    const raised = [
      ...flags({ status_5xx: 100 }),
      ...flags({ redirected: 100 }),
      ...flags({}, 'parameters'),
      ...flags({}, 'date'),
    ];
    expect(new Set(raised)).toEqual(new Set(patternFlags));
  });
});

import type { SegmentRule } from '../domain/model.js';
import { regexCost } from '../domain/regex-cost.js';
import { normalRule } from './normal-rule.js';

/**
 * Limits of a segment's regexes, in units of regex-cost.ts. Regexes are matched against every path of a window, and an
 * expensive one can occupy the engine for minutes. `[a-z0-9-]{1,100}` is about 400.
 */
const MAX_REGEX_LENGTH = 500;
const MAX_REGEX_REPEAT = 200;
const MAX_REGEX_SIZE = 1_000;
const MAX_SEGMENT_REGEXES = 20;
const MAX_SEGMENT_REGEX_SIZE = 3_000;

interface Rules {
  readonly rules: readonly SegmentRule[];
  readonly excludeRules?: readonly SegmentRule[] | undefined;
}

/** Approximate total size of the regexes. */
export function regexSize({ rules, excludeRules = [] }: Rules): number {
  return regexesOf({ rules, excludeRules }).reduce((sum, pattern) => sum + costOf(pattern).size, 0);
}

/** Why the rules are too expensive, with advice; null if they are not. */
export function tooCostly(given: Rules): string | null {
  const patterns = regexesOf(given);
  if (patterns.length > MAX_SEGMENT_REGEXES)
    return `rules: a segment has at most ${MAX_SEGMENT_REGEXES} regexes, this one has ${patterns.length}; join some with | or use prefix, contains or exact`;
  for (const pattern of patterns) {
    const problem = problemOf(pattern);
    if (problem !== null) return `rules: the regex ${JSON.stringify(pattern.slice(0, 60))} ${problem}`;
  }
  const size = regexSize(given);
  return size <= MAX_SEGMENT_REGEX_SIZE
    ? null
    : `rules: the regexes together have a size of ${size}, but the limit is ${MAX_SEGMENT_REGEX_SIZE}; shorten their repetitions, or split the segment in two`;
}

function problemOf(pattern: string): string | null {
  if (pattern.length > MAX_REGEX_LENGTH)
    return `is longer than ${MAX_REGEX_LENGTH} characters; split it into several rules`;
  const { size, longestRepeat } = costOf(pattern);
  if (longestRepeat > MAX_REGEX_REPEAT)
    return `repeats something ${longestRepeat} times, but at most ${MAX_REGEX_REPEAT} are allowed; use * or + if the number does not matter`;
  if (size > MAX_REGEX_SIZE)
    return `has a size of ${size}, but the limit is ${MAX_REGEX_SIZE}; lower the numbers in {n,m}, use * or +, or [a-z] instead of \\pL`;
  return null;
}

/** Cost of the regex in normal spelling, as it is applied to paths. */
const costOf = (pattern: string) => regexCost(normalRule({ type: 'regex', value: pattern }).value);

function regexesOf({ rules, excludeRules = [] }: Rules): string[] {
  return [...rules, ...excludeRules].filter(({ type }) => type === 'regex').map(({ value }) => value);
}

import { normalRule } from '../../control/aggregates/normal-rule.js';
import { regexSize } from '../../control/aggregates/segment-limits.js';
import type { Segment, SegmentRule } from '../../control/domain/model.js';
import { LONGEST_TARGET } from '../../requests/longest-target.js';
import type { QueryParameter } from '../../store/client.js';
import type { Clause } from './clause.js';

/**
 * Which requests a segment holds (spec §2.5). Paths and query strings have their normal spelling, and so have the rules that meet them. A regex meets the
 * decoded path too, as it was written: a space, `\s`, `[é]` and `\p{Greek}` match in no percent-encoded path. Case counts.
 */

/** What of a segment decides it. */
export type SegmentRules = Pick<Segment, 'rules' | 'excludeRules'>;

/** Where rules look; given by whoever reads something other than `requests AS r`. */
export interface RuleTarget {
  /** SQL of the path. */
  readonly path: string;
  /** SQL that is 1 where the query string holds one of the values; they come as a bound Array(String). */
  queryHolds(values: string): string;
  /** SQL that is true where `test` of the path is; default: for each row. */
  pathHolds?(test: (path: string) => string): string;
}

/** `&` stands before the query string, so that `&page=` is that parameter wherever it stands. */
export const ruleTarget: RuleTarget = {
  path: 'r.path',
  queryHolds: (values) => `multiSearchAny(concat('&', r.query), ${values})`,
};

/**
 * Holds regexes against each path of some rows once, in blocks of as many paths as the statement wants (Query.scan): the
 * engine looks at the clock between two blocks, and those of a table's rows are 8,192 at least. The condition names the
 * count so that it is not moved below the grouping, where it would meet the rows again.
 * @param where which rows, over `requests AS r`; what it binds must be bound by the statement.
 */
export function ruleTargetOf(where: string): RuleTarget {
  return {
    ...ruleTarget,
    pathHolds: (test) => `r.path IN (
  SELECT found.path FROM (SELECT r.path AS path, count() AS times FROM requests AS r WHERE ${where} GROUP BY path) AS found
  WHERE if(found.times > 0, ${test('found.path')}, false))`,
  };
}

/** Most time between two looks at the clock, and what a path takes at most: its longest, at the worst pace (regex-cost.ts). */
const BLOCK_SECONDS = 0.5;
const SECONDS_PER_SIZE_AND_BYTE = 1e-8;
const MOST_BLOCK_ROWS = 8_192;
/** As it is stored, and decoded. */
const TEXTS_PER_PATH = 2;

/** How many paths the engine may hold against all these rules before it looks at the clock; undefined: as many as it likes. */
export function blockRowsFor(segments: readonly SegmentRules[]): number | undefined {
  const size = segments.reduce((sum, segment) => sum + regexSize(segment), 0);
  if (size === 0) return undefined;
  const rows = Math.floor(
    BLOCK_SECONDS / (TEXTS_PER_PATH * size * LONGEST_TARGET * SECONDS_PER_SIZE_AND_BYTE),
  );
  return Math.min(Math.max(rows, 1), MOST_BLOCK_ROWS);
}

/**
 * True for a request for which one of the rules holds and none of the exclusions.
 * @param name begins the names of the parameters: segments in one query need different ones.
 */
export function segmentClause(segment: SegmentRules, name: string, target = ruleTarget): Clause {
  const params: Record<string, QueryParameter> = {};
  const bind = (value: QueryParameter, type: string) => {
    const parameter = `${name}_${Object.keys(params).length}`;
    params[parameter] = value;
    return `{${parameter}: ${type}}`;
  };
  const included = someHold(segment.rules, target, bind);
  const excluded = someHold(segment.excludeRules, target, bind);
  return { sql: `((${included}) AND NOT (${excluded}))`, params };
}

type Bind = (value: QueryParameter, type: 'String' | 'Array(String)') => string;

/** The engine looks for all texts of a kind at once; it knows no such function for beginnings and regexes. */
function someHold(rules: readonly SegmentRule[], target: RuleTarget, bind: Bind): string {
  const { path, queryHolds, pathHolds = (test) => test(path) } = target;
  const valuesOf = (type: SegmentRule['type']) =>
    rules.filter((rule) => rule.type === type).map((rule) => normalRule(rule).value);
  const together = (type: SegmentRule['type'], test: (values: string) => string) => {
    const values = valuesOf(type);
    return values.length === 0 ? [] : [test(bind(values, 'Array(String)'))];
  };
  const oneByOne = (type: SegmentRule['type'], test: (value: string) => string) =>
    valuesOf(type).map((value) => test(bind(value, 'String')));
  const regexes = () => {
    const stored = valuesOf('regex').map((value) => bind(value, 'String'));
    const written = rules.filter(({ type }) => type === 'regex').map(({ value }) => bind(value, 'String'));
    const any = (of: string, values: readonly string[]) =>
      values.map((value) => `match(${of}, ${value})`).join(' OR ');
    const test = (of: string) =>
      `(${any(of, stored)} OR position(${of}, '%') > 0 AND (${any(`decodeURLComponent(${of})`, written)}))`;
    return stored.length === 0 ? [] : [pathHolds(test)];
  };
  const tests = [
    ...together('exact', (values) => `${path} IN ${values}`),
    ...oneByOne('prefix', (value) => `startsWith(${path}, ${value})`),
    ...together('contains', (values) => `multiSearchAny(${path}, ${values})`),
    ...together('query', queryHolds),
    ...regexes(),
  ];
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

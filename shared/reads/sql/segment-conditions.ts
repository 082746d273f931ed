import { normalRule } from '../../control/aggregates/normal-rule.js';
import { regexSize } from '../../control/aggregates/segment-limits.js';
import type { Segment, SegmentRule } from '../../control/domain/model.js';
import { LONGEST_TARGET } from '../../requests/longest-target.js';
import type { QueryParameter } from '../../store/client.js';
import type { Clause } from './clause.js';

/**
 * Conditions for the requests of a segment (spec §2.5). Paths and query strings have their normal form, and so have the rules that are
 * compared with them. A regex is also compared, as written, with the decoded path: a space, `\s`, `[é]` and `\p{Greek}` match in no
 * percent-encoded path. Case matters.
 */

/** The fields of a segment that define it. */
export type SegmentRules = Pick<Segment, 'rules' | 'excludeRules'>;

/** The SQL that rules are applied to, for reads of other rows than `requests AS r`. */
export interface RuleTarget {
  /** SQL of the path. */
  readonly path: string;
  /** SQL that is 1 if the query string contains one of the values, a bound Array(String). */
  queryHolds(values: string): string;
  /** SQL that is true if `test` of the path is; default: evaluated for each row. */
  pathHolds?(test: (path: string) => string): string;
}

/** A `&` before the query string makes `&page=` match that parameter at any position. */
export const ruleTarget: RuleTarget = {
  path: 'r.path',
  queryHolds: (values) => `multiSearchAny(concat('&', r.query), ${values})`,
};

/**
 * Evaluates regexes once for each path of some rows, in blocks of the statement's size (Query.scan). The engine checks the time limit
 * between two blocks, and blocks of a table have at least 8,192 rows. The condition uses the count to prevent the engine from moving it
 * below the grouping, to the rows.
 * @param where selects the rows, over `requests AS r`; the statement must bind its parameters.
 */
export function ruleTargetOf(where: string): RuleTarget {
  return {
    ...ruleTarget,
    pathHolds: (test) => `r.path IN (
  SELECT found.path FROM (SELECT r.path AS path, count() AS times FROM requests AS r WHERE ${where} GROUP BY path) AS found
  WHERE if(found.times > 0, ${test('found.path')}, false))`,
  };
}

/** Maximum time between two checks of the clock, and the maximum cost of a path: the longest one, at the slowest rate (regex-cost.ts). */
const BLOCK_SECONDS = 0.5;
const SECONDS_PER_SIZE_AND_BYTE = 1e-8;
const MOST_BLOCK_ROWS = 8_192;
/** The stored path and the decoded one. */
const TEXTS_PER_PATH = 2;

/** Paths that the engine may compare with all these rules between two checks of the clock; undefined: no limit. */
export function blockRowsFor(segments: readonly SegmentRules[]): number | undefined {
  const size = segments.reduce((sum, segment) => sum + regexSize(segment), 0);
  if (size === 0) return undefined;
  const rows = Math.floor(
    BLOCK_SECONDS / (TEXTS_PER_PATH * size * LONGEST_TARGET * SECONDS_PER_SIZE_AND_BYTE),
  );
  return Math.min(Math.max(rows, 1), MOST_BLOCK_ROWS);
}

/**
 * True for a request that matches a rule and no exclusion.
 * @param name prefix of the parameter names: segments in one query need different ones.
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

/** The engine has functions that search for several texts at once, but not for prefixes and regexes. */
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

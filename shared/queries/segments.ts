import type { QueryParameter } from '../clickhouse/client.js';
import type { Segment, SegmentRule } from '../control/model.js';
import type { Clause } from './clause.js';

/** Which requests a segment holds (spec §2.5). The texts are compared byte by byte as they were sent, so case counts. */

/** What of a segment decides it. */
export type SegmentRules = Pick<Segment, 'rules' | 'excludeRules'>;

/** Where rules look; given by whoever reads something other than `requests AS r`. */
export interface RuleTarget {
  /** SQL of the path. */
  readonly path: string;
  /** SQL that is 1 where the query string holds one of the values; they come as a bound Array(String). */
  queryHolds(values: string): string;
}

/** `&` stands before the query string, so that `&page=` is that parameter wherever it stands. */
export const ruleTarget: RuleTarget = {
  path: 'r.path',
  queryHolds: (values) => `multiSearchAny(concat('&', r.query), ${values})`,
};

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
function someHold(rules: readonly SegmentRule[], { path, queryHolds }: RuleTarget, bind: Bind): string {
  const valuesOf = (type: SegmentRule['type']) =>
    rules.filter((rule) => rule.type === type).map(({ value }) => value);
  const together = (type: SegmentRule['type'], test: (values: string) => string) => {
    const values = valuesOf(type);
    return values.length === 0 ? [] : [test(bind(values, 'Array(String)'))];
  };
  const oneByOne = (type: SegmentRule['type'], test: (value: string) => string) =>
    valuesOf(type).map((value) => test(bind(value, 'String')));
  const tests = [
    ...together('exact', (values) => `${path} IN ${values}`),
    ...oneByOne('prefix', (value) => `startsWith(${path}, ${value})`),
    ...together('contains', (values) => `multiSearchAny(${path}, ${values})`),
    ...together('query', queryHolds),
    ...oneByOne('regex', (value) => `match(${path}, ${value})`),
  ];
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

import type { QueryParameter } from '../../store/client.js';
import { normalSpelling } from '../../urls/normal-spelling.js';
import type { Clause } from './clause.js';
import { normaliseClientIp } from './client-ip.js';
import { type DimensionName, dimensions, inLowerCase } from './dimensions.js';
import { ruleTargetOf, type SegmentRules, segmentClause } from './segment-conditions.js';
import { isServedStatus, servesStatus } from './served-page.js';
import { type ClaimScope, requestClaim, resolvedVerification } from './verification.js';

/** Filters that a caller may apply to any read. Absent: all requests. */
export interface Filters {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries?: readonly string[] | undefined;
  /** In normal form (shared/urls/normalise-host.ts). */
  readonly hosts?: readonly string[] | undefined;
  /** Requests of a saved segment; only raw rows have the columns (spec §2.1). */
  readonly segment?: SegmentRules | undefined;
  /** A crawler's name, ignoring case. */
  readonly botName?: string | undefined;
  readonly botFamily?: string | undefined;
  /** A crawler by its name or by its family, ignoring case. */
  readonly bot?: string | undefined;
  /** true: only requests of verified crawlers; false: only those of proven impostors. */
  readonly botVerified?: boolean | undefined;
  /** Leaves out bots that are not verified; requests without a bot's name stay. */
  readonly withoutUnproved?: boolean | undefined;
  /** Lower-case extensions. */
  readonly fileTypes?: readonly string[] | undefined;
  /** Whether the request had a query string. */
  readonly hasQuery?: boolean | undefined;
  /** First digit of the status; 0: outside 100-599. */
  readonly statusClass?: number | undefined;
  readonly status?: number | undefined;
  /** Substring of the path in any percent-encoding, ignoring case. */
  readonly pathContains?: string | undefined;
  /** Further filters of an answer about crawlers. */
  readonly crawlers?: CrawlerFilters | undefined;
}

export interface CrawlerFilters {
  /** One crawler by its name, or several by their family, ignoring case. */
  readonly named?: string | undefined;
  readonly category?: string | undefined;
  /** Accepted current verifications (verification.ts). */
  readonly verifications?: readonly string[] | undefined;
  readonly hasQuery?: boolean | undefined;
  readonly statusClass?: number | undefined;
}

/** A filter on one dimension. */
export interface DimensionFilter {
  readonly dimension: DimensionName;
  /** @param column SQL of the dimension's value; parameters begin with `filter_`. */
  readonly clause: (column: string) => Clause;
  /** The same test of a value that the engine returned; absent: only the engine tests it. */
  readonly holds?: (value: unknown) => boolean;
  /** The values that pass, if they are few. */
  readonly values?: readonly unknown[];
}

/** A test of a value against a bound one, for the engine and for this process. */
interface Test {
  /** @param column and @param bound SQL */
  sql(column: string, bound: string): string;
  holds?(value: unknown, bound: QueryParameter): boolean;
}

const filter = (
  dimension: DimensionName,
  value: QueryParameter | undefined,
  { sql, holds }: Test,
  type: string,
  name = `filter_${dimension}`,
): DimensionFilter[] => {
  if (value === undefined) return [];
  return [
    {
      dimension,
      clause: (column) => ({ sql: sql(column, `{${name}: ${type}}`), params: { [name]: value } }),
      ...(holds === undefined ? {} : { holds: (one: unknown) => holds(one, value) }),
    },
  ];
};

/** An answer's own condition: one of these values. @param type of a value in SQL. */
export function oneOf(
  dimension: DimensionName,
  values: readonly (string | number)[],
  type = 'String',
): DimensionFilter {
  const [only] = filter(dimension, values, isOneOf, `Array(${type})`, `only_${dimension}`);
  const passing = type === 'IPv6' ? plainAddresses(dimension, values as string[]) : values;
  const known = new Set<unknown>(passing);
  return { ...only!, values: passing, holds: (value) => known.has(value) };
}

/** The engine returns plain addresses, and networks with the length of their prefix. */
function plainAddresses(dimension: DimensionName, addresses: readonly string[]): string[] {
  const plain = addresses.flatMap((address) => [address, normaliseClientIp(address) ?? address]);
  return dimension === 'network' ? plain.flatMap((address) => [`${address}/24`, `${address}/48`]) : plain;
}

/** An answer's own condition: none of these texts. */
export function noneOf(dimension: DimensionName, values: readonly string[]): DimensionFilter {
  const name = `none_of_${dimension}`;
  return {
    dimension,
    clause: (column) => ({ sql: `${column} NOT IN {${name}: Array(String)}`, params: { [name]: values } }),
    holds: (value) => !isIn(value, values),
  };
}

/** An answer's own condition: this text, ignoring case. */
export function equalIgnoringCase(dimension: DimensionName, value: string): DimensionFilter {
  const [equal] = filter(dimension, value.toLowerCase(), isInAnyCase, 'String', `any_case_${dimension}`);
  return equal!;
}

/** An answer's own condition: the response was served, or confirmed the client's copy. */
export const servedOnly: DimensionFilter = {
  dimension: 'status',
  clause: (column) => ({ sql: `(${isServedStatus(column)})`, params: {} }),
  holds: (status) => servesStatus(status as number),
};

/** Excludes requests without a path: log lines that are not HTTP (docs/log-format.md). Totals include them, but they have no page. */
export const onPaths: DimensionFilter = {
  dimension: 'path',
  clause: (column) => ({ sql: `${column} != ''`, params: {} }),
  holds: (path) => path !== '',
};

/** An answer's own condition: texts with this prefix. */
export function beginningWith(dimension: DimensionName, start: string): DimensionFilter {
  const name = `start_of_${dimension}`;
  return {
    dimension,
    clause: (column) => ({ sql: `startsWith(${column}, {${name}: String})`, params: { [name]: start } }),
    holds: (value) => (value as string).startsWith(start),
  };
}

/** Values of `verification` of requests that are verified or claim no bot. */
const PROVED_OR_NO_BOT = ['verified', 'undeclared', ''];

/** Whether the rows that pass depend on late verdicts. */
export function filtersByVerdict(filters: Filters): boolean {
  return dimensionFilters(filters).some(({ dimension }) => dimension === 'verification');
}

/**
 * Conditions of the given filters, except the segment. A filter for every read is one line here, a field above and a parameter of the API.
 */
export function dimensionFilters(filters: Filters): DimensionFilter[] {
  const { countries, hosts, bot, botName, botFamily, botVerified, fileTypes, hasQuery } = filters;
  const { status, statusClass, pathContains } = filters;
  const verification = botVerified === undefined ? undefined : botVerified ? 'verified' : 'spoofed';
  const proved = filters.withoutUnproved === true ? PROVED_OR_NO_BOT : undefined;
  const pathPart = pathContains === undefined ? undefined : normalSpelling(pathContains);
  return [
    ...filter('country', countries, isOneOf, 'Array(String)'),
    ...filter('host', hosts, isOneOf, 'Array(String)'),
    ...filter('bot_name', botName?.toLowerCase(), isInAnyCase, 'String'),
    ...filter('bot_family', botFamily?.toLowerCase(), isInAnyCase, 'String'),
    ...filter('crawler_names', bot?.toLowerCase(), hasName, 'String'),
    ...filter('verification', verification, is, 'String'),
    ...filter('verification', proved, isOneOf, 'Array(String)', 'filter_proved'),
    ...filter('file_type', fileTypes, isOneOf, 'Array(String)'),
    ...filter('has_query', asNumber(hasQuery), is, 'UInt8'),
    ...filter('status', statusClass, isStatusOfClass, 'UInt16'),
    ...filter('status', status, is, 'UInt16', 'filter_one_status'),
    ...filter('path', pathPart, containsIgnoringCase, 'String', 'filter_path_part'),
    ...(filters.crawlers === undefined ? [] : crawlerFilters(filters.crawlers)),
  ];
}

const isIn = (value: unknown, values: QueryParameter) => (values as readonly unknown[]).includes(value);

const isOneOf: Test = { sql: (column, bound) => `${column} IN ${bound}`, holds: isIn };
const isInAnyCase: Test = {
  sql: (column, bound) => `lower(${column}) = ${bound}`,
  holds: (value, bound) => inLowerCase(value as string) === bound,
};
const hasName: Test = {
  sql: (column, bound) => `has(${column}, ${bound})`,
  holds: (names, bound) => isIn(bound, names as readonly string[]),
};
const is: Test = {
  sql: (column, bound) => `${column} = ${bound}`,
  holds: (value, bound) => value === bound,
};
const isStatusOfClass: Test = {
  sql: isOfClass,
  holds: (value, bound) => {
    const status = Number(value);
    return (status >= 100 && status < 600 ? Math.floor(status / 100) : 0) === bound;
  },
};
const containsIgnoringCase: Test = {
  sql: (column, bound) => `positionCaseInsensitiveUTF8(${column}, ${bound}) > 0`,
};
const asNumber = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));

/** SQL that is true for a status of the class. @param bound SQL of its first digit; 0: outside 100-599. */
export function isOfClass(column: string, bound: string): string {
  return `if(${column} BETWEEN 100 AND 599, intDiv(${column}, 100), 0) = ${bound}`;
}

/** Separate parameter names: a caller may have given the same filter by its common name, and both must match. */
function crawlerFilters({
  named: crawlerName,
  category,
  verifications,
  hasQuery,
  statusClass,
}: CrawlerFilters) {
  const parameterName = (name: string) => `filter_crawler_${name}`;
  return [
    ...filter('crawler_names', crawlerName?.toLowerCase(), hasName, 'String', parameterName('named')),
    ...filter('bot_category', category, is, 'String', parameterName('category')),
    ...filter('verification', verifications, isOneOf, 'Array(String)', parameterName('verifications')),
    ...filter('has_query', asNumber(hasQuery), is, 'UInt8', parameterName('query')),
    ...filter('status', statusClass, isStatusOfClass, 'UInt16', parameterName('status')),
  ];
}

/**
 * All filters as conditions over `requests AS r`.
 * @param rows SQL of the rows that the statement reads; the statement must bind its parameters.
 */
export function rawFilterClauses(filters: Filters, scope: ClaimScope, rows: string): Clause[] {
  const clauses = dimensionFilters(filters).map(({ dimension, clause }) => {
    const sql = dimensions[dimension].ofRequests;
    if (sql !== null) return clause(sql);
    const resolved = resolvedVerification(requestClaim, scope);
    const { sql: test, params } = clause(resolved.sql);
    return { sql: test, params: { ...resolved.params, ...params } };
  });
  const { segment } = filters;
  return segment === undefined
    ? clauses
    : [...clauses, segmentClause(segment, 'segment', ruleTargetOf(rows))];
}

import { z } from 'zod';
import type { ClickHouseReader, QueryParameter } from '../../store/client.js';
import { normalSpelling } from '../../urls/normal-spelling.js';
import { type Clause, combine } from '../sql/clause.js';
import { clientIpText, isKnownIp } from '../sql/client-ip.js';
import { cutText } from '../sql/cut-text.js';
import { notHuman } from '../sql/dimensions.js';
import { isOfClass } from '../sql/filters.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { requestClaim, resolvedVerification, resolvePage } from '../sql/verification.js';

/** Single requests from the raw rows: the request search and the requests of one address. */

/** A request's position in the total order of requests: newest first, ties by position in the event log. */
export const requestPosition = z.object({
  /** Milliseconds since the epoch. */
  timestamp_ms: z.number().int(),
  log_partition: z.number().int().min(0).max(65_535),
  log_offset: z.number().int().min(0),
  log_index: z.number().int().min(0).max(4_294_967_295),
});
export type RequestPosition = z.infer<typeof requestPosition>;

/** The stored columns of a request; absent text is '', absent numbers are null. */
export const requestRow = requestPosition.extend({
  source: z.string(),
  request_id: z.string(),
  client_ip: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  query: z.string(),
  file_type: z.string(),
  protocol: z.string(),
  status: z.number(),
  bytes_sent: z.number(),
  time_taken_ms: z.number().nullable(),
  content_type: z.string(),
  cache_status: z.string(),
  user_agent: z.string(),
  referrer: z.string(),
  referrer_domain: z.string(),
  referrer_class: z.string(),
  ai_operator: z.string(),
  traffic_class: z.string(),
  /** Not a person's: it claims to be a bot, or is an undeclared agent. */
  is_bot: z.boolean(),
  bot_name: z.string(),
  bot_variant: z.string(),
  bot_family: z.string(),
  bot_operator: z.string(),
  bot_category: z.string(),
  ai_intent: z.string(),
  /** The stored value; '' if no bot is claimed. Reads return the current value (verification.ts). */
  verification: z.string(),
  verification_method: z.string(),
  rules_version: z.string(),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  asn: z.number(),
  as_name: z.string(),
  browser: z.string(),
  os: z.string(),
  device_type: z.string(),
});
export type RequestRow = z.infer<typeof requestRow>;

/** SQL of the path of a request, as sent. */
export const sentPath = "if(r.sent_target = '', r.path, substringIndex(r.sent_target, '?', 1))";
export const sentQuery =
  "multiIf(r.sent_target = '', r.query, position(r.sent_target, '?') = 0, '', substring(r.sent_target, position(r.sent_target, '?') + 1))";

/** Columns whose SQL differs from their name. They are qualified, because the answer's `client_ip` is text and would shadow the column. */
const requestExpressions: ReadonlyMap<string, string> = new Map([
  ['timestamp_ms', 'toUnixTimestamp64Milli(r.timestamp)'],
  ['client_ip', clientIpText('r.client_ip')],
  ['verification', 'toString(r.bot_verification)'],
  ['is_bot', notHuman],
  ['path', sentPath],
  ['query', sentQuery],
]);

/** Texts whose length the sender of a request controls. */
const longTexts: ReadonlySet<string> = new Set(['path', 'query', 'user_agent', 'referrer']);

/** The SELECT list of a row schema over `requests AS r`. */
function requestColumns(row: z.ZodObject, fullTexts: boolean): string {
  return Object.keys(row.shape)
    .map((name) => {
      const expression = requestExpressions.get(name) ?? `r.${name}`;
      return `${longTexts.has(name) && !fullTexts ? cutText(expression) : expression} AS ${name}`;
    })
    .join(', ');
}

export const NEWEST_FIRST =
  'ORDER BY r.timestamp DESC, r.log_partition DESC, r.log_offset DESC, r.log_index DESC';

/** Rows of `requests AS r` that satisfy a condition, with the columns of a row schema. @param order SQL; default: newest first. */
export function readRequests<Shape extends z.ZodRawShape>(
  reader: ClickHouseReader,
  where: Clause,
  {
    name,
    row,
    limit,
    offset = 0,
    order = NEWEST_FIRST,
    fullTexts = false,
  }: {
    readonly name: string;
    readonly row: z.ZodObject<Shape>;
    readonly limit: number;
    readonly offset?: number;
    readonly order?: string;
    /** Long texts are not cut (cut-text.ts); only for few rows. */
    readonly fullTexts?: boolean;
  },
): Promise<z.output<z.ZodObject<Shape>>[]> {
  return reader.read({
    name,
    sql: `SELECT ${requestColumns(row, fullTexts)}
FROM requests AS r
WHERE ${where.sql}
${order}
LIMIT {limit: UInt32} OFFSET {offset: UInt64}`,
    params: { ...where.params, limit, offset },
    row,
  });
}

/** All given filters must match. Substrings ignore case. */
export interface RequestFilters {
  /** Ignoring case. */
  readonly botName?: string | undefined;
  readonly isBot?: boolean | undefined;
  /** true: verified, false: spoofed; unverifiable and pending claims match neither. */
  readonly botVerified?: boolean | undefined;
  /** Plain text (normaliseClientIp). */
  readonly clientIp?: string | undefined;
  /** In any percent-encoding. */
  readonly pathContains?: string | undefined;
  readonly status?: number | undefined;
  /** First digit of the status; 0: outside 100-599. */
  readonly statusClass?: number | undefined;
  readonly method?: string | undefined;
  readonly country?: string | undefined;
  readonly userAgentContains?: string | undefined;
}

export interface RequestSearch {
  readonly scope: Scope;
  readonly filters: RequestFilters;
  /** Only requests after this one in the order. */
  readonly after: RequestPosition | null;
  readonly limit: number;
  readonly offset: number;
  /** Default: long texts are cut. */
  readonly fullTexts?: boolean;
}

/** Requests that match the filters, newest first. */
export async function searchRequests(
  reader: ClickHouseReader,
  { scope, filters, after, limit, offset, fullTexts = false }: RequestSearch,
): Promise<RequestRow[]> {
  const verdict = filters.botVerified === undefined ? null : filters.botVerified ? 'verified' : 'spoofed';
  const where = combine([
    scopeClause(scope),
    ...filterClauses(filters),
    verdict === null ? null : verdictClause(scope, verdict),
    afterClause(after),
  ]);
  const page = { name: 'requests.search', row: requestRow, limit, offset, fullTexts };
  const rows = await readRequests(reader, where, page);
  return verdict === null
    ? resolvePage(reader, scope.websiteId, rows)
    : rows.map((row) => ({ ...row, verification: verdict }));
}

function verdictClause(scope: Scope, verdict: string): Clause {
  const { sql, params } = resolvedVerification(requestClaim, scope);
  return { sql: `${sql} = {verdict: String}`, params: { ...params, verdict } };
}

const ipRequestRow = requestRow.pick({
  timestamp_ms: true,
  path: true,
  method: true,
  status: true,
  user_agent: true,
  is_bot: true,
});
export type IpRequestRow = z.infer<typeof ipRequestRow>;

/** A page of one address's requests, newest first, and their total in the window. */
export async function readIpRequests(
  reader: ClickHouseReader,
  { scope, clientIp, limit, offset }: { scope: Scope; clientIp: string; limit: number; offset: number },
): Promise<{ total: number; requests: IpRequestRow[] }> {
  const where = combine([scopeClause(scope), ...filterClauses({ clientIp })]);
  const [totals, requests] = await Promise.all([
    reader.read({
      name: 'ip_requests.total',
      sql: `SELECT count() AS total FROM requests AS r WHERE ${where.sql}`,
      params: where.params,
      row: z.object({ total: z.number() }),
    }),
    readRequests(reader, where, { name: 'ip_requests.page', row: ipRequestRow, limit, offset }),
  ]);
  return { total: totals[0]!.total, requests };
}

function filterClauses(filters: RequestFilters): (Clause | null)[] {
  const clause = (name: string, value: QueryParameter | undefined, sql: string): Clause | null =>
    value === undefined ? null : { sql, params: { [name]: value } };
  return [
    clause('bot_name', filters.botName?.toLowerCase(), 'lower(r.bot_name) = {bot_name: String}'),
    clause('is_bot', filters.isBot, `${notHuman} = {is_bot: Bool}`),
    clause(
      'client_ip',
      filters.clientIp,
      `r.client_ip = toIPv6({client_ip: String}) AND ${isKnownIp('r.client_ip')}`,
    ),
    clause(
      'path_part',
      filters.pathContains === undefined ? undefined : normalSpelling(filters.pathContains),
      'positionCaseInsensitiveUTF8(r.path, {path_part: String}) > 0',
    ),
    clause('status', filters.status, 'r.status = {status: UInt16}'),
    clause('status_class', filters.statusClass, isOfClass('r.status', '{status_class: UInt16}')),
    clause('method', filters.method, 'r.method = {method: String}'),
    clause('country', filters.country, 'r.country = {country: String}'),
    clause(
      'user_agent_part',
      filters.userAgentContains,
      'positionCaseInsensitiveUTF8(r.user_agent, {user_agent_part: String}) > 0',
    ),
  ];
}

function afterClause(after: RequestPosition | null): Clause | null {
  if (after === null) return null;
  const instant = "fromUnixTimestamp64Milli({after_ms: Int64}, 'UTC')";
  return {
    // The primary key can use only the first condition.
    sql: `r.timestamp <= ${instant} AND (r.timestamp, r.log_partition, r.log_offset, r.log_index) < (${instant}, {after_partition: UInt16}, {after_offset: UInt64}, {after_index: UInt32})`,
    params: {
      after_ms: after.timestamp_ms,
      after_partition: after.log_partition,
      after_offset: after.log_offset,
      after_index: after.log_index,
    },
  };
}

import { verificationStatuses } from '../../requests/enriched-request.js';
import { claimedCrawlers, crawlers } from '../bots/crawler-scope.js';
import { crawlerRequestFilters } from '../requests/crawler-requests.js';
import { sentPath, sentQuery } from '../requests/request-rows-sql.js';
import { combine } from '../sql/clause.js';
import { clientIpText } from '../sql/client-ip.js';
import { notHuman } from '../sql/dimensions.js';
import type { CrawlerFilters } from '../sql/filters.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { requestClaim, resolvedVerification } from '../sql/verification.js';
import {
  type Column,
  type ExportRows,
  type ExportType,
  nameOf,
  text,
  value,
  windowFilters,
} from './export-type.js';
import type { ExportQuestion } from './question.js';

/** Single requests from the raw rows, newest first. For millions of rows the engine reads the table in reverse and does not sort. */

const claim = "if(t.verification IN ('', 'undeclared'), NULL, t.verification)";

const textColumn = (name: string): Column => text(name);
const nameColumn = (name: string): Column => nameOf(name);
export const requestColumns: readonly Column[] = [
  value('timestamp'),
  text('request_id'),
  nameOf('source'),
  text('client_ip', clientIpText('t.client_ip')),
  ...['method', 'host'].map(nameColumn),
  ...['path', 'query'].map(textColumn),
  ...['file_type', 'protocol'].map(nameColumn),
  value('status'),
  value('bytes_sent'),
  value('time_taken_ms'),
  ...['content_type', 'cache_status'].map(nameColumn),
  ...['user_agent', 'referrer'].map(textColumn),
  ...['referrer_domain', 'referrer_class', 'ai_operator', 'traffic_class'].map(nameColumn),
  value('is_bot', notHuman.replaceAll('r.', 't.')),
  ...['bot_name', 'bot_variant', 'bot_family', 'bot_operator', 'bot_category', 'ai_intent'].map(nameColumn),
  value(
    'bot_verified',
    "multiIf(t.verification = 'verified', true, t.verification = 'spoofed', false, NULL)",
  ),
  value('bot_verification_status', claim),
  nameOf('bot_verification_method', 't.verification_method'),
  ...['rules_version', 'country', 'region', 'city'].map(nameColumn),
  value('asn', 'nullIf(t.asn, 0)'),
  ...['as_name', 'browser', 'os', 'device_type'].map(nameColumn),
];

/** Columns of a row except its verification. */
const stored = `r.timestamp, r.log_partition, r.log_offset, r.log_index, r.request_id, r.source, r.client_ip, r.method, r.host,
  ${sentPath} AS path, ${sentQuery} AS query,
  r.file_type, r.protocol, r.status, r.bytes_sent, r.time_taken_ms, r.content_type, r.cache_status, r.user_agent, r.referrer, r.referrer_domain,
  r.referrer_class, r.ai_operator, r.traffic_class, r.bot_name, r.bot_variant, r.bot_family, r.bot_operator, r.bot_category, r.ai_intent,
  r.verification_method, r.rules_version, r.country, r.region, r.city, r.asn, r.as_name, r.browser, r.os, r.device_type, r.address_days`;

const NEWEST = 't.timestamp DESC, t.log_partition DESC, t.log_offset DESC, t.log_index DESC';

/** @param conditions over `requests AS r`, besides the scope. */
export function rowsOfRequests(
  scope: Scope,
  conditions: readonly string[],
  { slowest }: { readonly slowest: boolean } = { slowest: false },
): ExportRows {
  const where = combine([
    scopeClause(scope),
    ...[...conditions, ...(slowest ? ['r.time_taken_ms IS NOT NULL'] : [])].map((sql) => ({
      sql,
      params: {},
    })),
  ]);
  const verification = resolvedVerification(requestClaim, scope);
  return {
    from: `(SELECT ${stored}, ${verification.sql} AS verification FROM requests AS r WHERE ${where.sql}) AS t`,
    order: slowest ? `t.time_taken_ms DESC, ${NEWEST}` : NEWEST,
    params: { ...where.params, ...verification.params },
  };
}

const unproved = verificationStatuses.filter((status) => status !== 'verified');

/** The crawlers that `filter` selects, as in /seo/requests. */
function subFilter(filter: string | undefined): CrawlerFilters {
  if (filter === 'verified') return { verifications: ['verified'] };
  if (filter === 'unverified') return { verifications: unproved };
  return filter !== undefined && /^[1-5]xx$/.test(filter) ? { statusClass: Number(filter[0]) } : {};
}

const isNamed = ({ bot, bot_name }: ExportQuestion) => bot !== undefined || bot_name !== undefined;

export const requestsExport: ExportType = {
  name: 'requests',
  title: 'Requests of bots',
  read: '/requests?is_bot=true',
  knows: [...windowFilters, 'bot_scope', 'filter'],
  filterValues: crawlerRequestFilters,
  columns: requestColumns,
  async compose(_deps, scope, question) {
    const { bot, bot_scope = 'all', filter } = question;
    const category = isNamed(question) || bot_scope === 'all' ? {} : { category: bot_scope };
    const narrowed = { ...subFilter(filter), ...category, ...(bot === undefined ? {} : { named: bot }) };
    const filters = { ...scope.filters, crawlers: narrowed };
    return rowsOfRequests({ ...scope, filters }, [notHuman], { slowest: filter === 'slowest' });
  },
};

export const seoRequestsExport: ExportType = {
  name: 'seo-requests',
  title: 'Requests of search crawlers',
  read: '/seo/requests',
  knows: [...windowFilters, 'filter'],
  filterValues: crawlerRequestFilters,
  columns: requestColumns,
  async compose(_deps, scope, question) {
    const { bot, filter } = question;
    // The scope already has the filter for parameters of query strings.
    const input = { bot, params_filter: 'all' as const };
    const narrowed =
      filter === 'verified' || filter === 'unverified'
        ? claimedCrawlers(scope, input, subFilter(filter))
        : crawlers(scope, input, subFilter(filter));
    return rowsOfRequests(narrowed, ['r.is_bot'], { slowest: filter === 'slowest' });
  },
};

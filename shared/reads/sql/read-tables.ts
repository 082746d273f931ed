import { isAiLanding } from './ai-landings.js';
import { isKnownIp } from './client-ip.js';
import {
  claimDimensions,
  crawlerNamesColumn,
  type DimensionName,
  networkColumn,
  pathStartColumn,
  queryStartColumn,
} from './dimensions.js';
import { type MetricName, volumeMetrics } from './metrics.js';

/**
 * The tables that answer questions without single requests. A materialized view fills each by whole hours (shared/store/migrations), and
 * also by whole UTC days if a day is much smaller than its hours. Raw rows answer the questions that a rollup cannot answer
 * (table-source.ts).
 */
export interface Rollup {
  readonly hourTable: string;
  /** The same figures by whole UTC day. */
  readonly dayTable?: string;
  /** The requests that it counts, over `requests AS r`: the WHERE of its view. */
  readonly filter?: string;
  readonly dimensions: readonly DimensionName[];
  readonly metrics: readonly MetricName[];
  /** SQL, over the table's columns, of dimensions that it stores under another name. */
  readonly columns?: Partial<Record<DimensionName, string>>;
}

/** Whether a rollup has the dimension `verification`, which is joined to its claims. */
export function hasVerification({ dimensions }: Rollup): boolean {
  return claimDimensions.every((column) => dimensions.includes(column));
}

export const traffic: Rollup = {
  hourTable: 'traffic_per_hour',
  dimensions: ['country', 'traffic_class', 'status', 'status_class'],
  columns: { status_class: 'intDiv(status, 100)' },
  metrics: volumeMetrics,
};

/** Larger than `traffic`: it answers if hosts are listed or filtered. */
export const hosts: Rollup = {
  hourTable: 'hosts_per_hour',
  dimensions: ['host', 'country', 'traffic_class', 'status', 'status_class', ...claimDimensions],
  columns: { status_class: 'intDiv(status, 100)' },
  metrics: [...volumeMetrics, 'last_seen'],
};

/** Tables of the volume of all traffic, smallest first. */
export const volumeTables = [traffic, hosts] as const;

export const bots: Rollup = {
  hourTable: 'bots_per_hour',
  filter: 'r.is_bot',
  dimensions: [
    'bot_name',
    'bot_variant',
    'bot_operator',
    'bot_category',
    'ai_intent',
    'crawler_names',
    ...claimDimensions,
    'country',
    'status',
    'verification_method',
    'rules_version',
  ],
  columns: { crawler_names: crawlerNamesColumn },
  metrics: [...volumeMetrics, 'first_seen', 'last_seen'],
};

export const botEstimates: Rollup = {
  hourTable: 'bot_estimates_per_hour',
  filter: 'r.is_bot',
  dimensions: ['bot_name', 'bot_variant', 'bot_category', 'country'],
  metrics: ['requests', 'client_ips', 'paths'],
};

export const paths: Rollup = {
  hourTable: 'paths_per_hour',
  dayTable: 'paths_per_day',
  dimensions: ['path'],
  metrics: [
    'requests',
    'human_requests',
    'search_bot_requests',
    'ai_bot_requests',
    'spoofed_bot_requests',
    'undeclared_agent_requests',
    'status_1xx',
    'status_2xx',
    'status_3xx',
    'status_4xx',
    'status_5xx',
    'bytes_sent',
    'timed_requests',
    'time_taken_ms',
    'time_taken_ms_max',
    'last_seen',
  ],
};

const crawlerFetchDimensions = [
  'path',
  'path_start',
  'bot_name',
  'bot_category',
  'crawler_names',
  ...claimDimensions,
  'file_type',
  'has_query',
  'country',
  'status',
] as const;

/** Fetches of crawlers. It includes impostors, which `verification` separates. */
export const crawlerPaths: Rollup = {
  hourTable: 'crawler_paths_per_hour',
  filter: 'r.is_bot',
  dimensions: [...crawlerFetchDimensions, 'ai_intent'],
  columns: { crawler_names: crawlerNamesColumn, path_start: pathStartColumn },
  metrics: ['requests', 'timed_requests', 'time_taken_ms', 'first_seen', 'last_seen'],
};

/** Fetches of crawlers whose URL has a query. */
export const crawlerQueries: Rollup = {
  hourTable: 'crawler_queries_per_hour',
  filter: "r.is_bot AND r.query != ''",
  dimensions: [...crawlerFetchDimensions, 'query', 'query_start'],
  columns: {
    crawler_names: crawlerNamesColumn,
    path_start: pathStartColumn,
    query_start: queryStartColumn,
    has_query: 'toUInt8(1)',
  },
  metrics: ['requests', 'last_seen'],
};

/** Requests answered 404, by path and client. */
export const notFound: Rollup = {
  hourTable: 'not_found_per_hour',
  filter: 'r.status = 404',
  dimensions: ['path', 'traffic_class', ...claimDimensions],
  metrics: ['requests', 'as_stored', 'first_seen', 'last_seen'],
};

/** The claim of a person's request: people claim no bot. */
const noClaim = { bot_family: "''", bot_verification: "''", pending_ip: "toIPv6('::')" } as const;

/** Landings of people whom an AI assistant sent, by page. It includes landings on an error, which are not visits. */
export const aiVisits: Rollup = {
  hourTable: 'ai_visits_per_hour',
  filter: isAiLanding,
  dimensions: ['ai_operator', 'path', 'country', 'status', 'is_error', ...claimDimensions],
  columns: { is_error: '(status BETWEEN 400 AND 599)', ...noClaim },
  metrics: ['requests', 'visits', 'first_seen', 'last_seen'],
};

export const locations: Rollup = {
  hourTable: 'locations_per_hour',
  dimensions: ['country', 'region', 'city'],
  metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'bytes_sent', 'client_ips'],
};

export const clientIps: Rollup = {
  hourTable: 'client_ips_per_hour',
  filter: isKnownIp('r.client_ip'),
  dimensions: ['client_ip', 'network', 'country', 'bot_name', ...claimDimensions],
  // Only pending claims need the address.
  columns: { pending_ip: 'client_ip', network: networkColumn },
  metrics: [
    'asn',
    'as_name',
    'requests',
    'status_4xx',
    'status_5xx',
    'probes',
    'bytes_sent',
    'first_seen',
    'last_seen',
  ],
};

export const referrers: Rollup = {
  hourTable: 'referrers_per_hour',
  dimensions: ['referrer_domain', 'referrer_class', 'ai_operator', 'country'],
  metrics: ['requests', 'human_requests', 'status_4xx', 'status_5xx', 'client_ips'],
};

/** Human traffic only. */
export const devices: Rollup = {
  hourTable: 'devices_per_hour',
  filter: "r.traffic_class = 'human'",
  dimensions: ['device_type', 'os', 'browser', 'country', ...claimDimensions],
  columns: noClaim,
  metrics: ['requests', 'client_ips'],
};

const estimated = ['requests', 'time_quantiles', 'client_ips', 'paths'] as const;

/** Distinct addresses and paths, and quantiles of response times, for all traffic. */
export const estimates: Rollup = {
  hourTable: 'estimates_per_hour',
  dayTable: 'estimates_per_day',
  dimensions: ['is_bot'],
  metrics: estimated,
};

export const countryEstimates: Rollup = {
  hourTable: 'country_estimates_per_hour',
  dimensions: ['country', 'is_bot'],
  metrics: estimated,
};

import { z } from 'zod';
import { isIpv4 } from './client-ip.js';

/**
 * Dimensions that questions group and filter by: the SQL of each over `requests AS r`, and the type of its values. Tables with a dimension
 * have a column of its name.
 */

const text = z.string();

/** Prefix lengths of networks that usually belong to one operator: /24 for IPv4 (mapped), /48 for IPv6. */
const networkOf = (ip: string) =>
  `tupleElement(IPv6CIDRToRange(${ip}, if(${isIpv4(ip)}, toUInt8(120), toUInt8(48))), 1)`;

/** As the engine's `lower`: ASCII only. */
export function inLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const crawlerNamesOf = (row: string) => `[lower(${row}bot_name), lower(${row}bot_family)]`;

/** Bytes of a path in `path_start`. */
export const PATH_START_BYTES = 1_000;

const pathStartOf = (row: string) => `substring(${row}path, 1, ${PATH_START_BYTES})`;

/** Characters of a query in `query_start`. */
export const QUERY_START_CHARACTERS = 500;

/** A character has at most three bytes for each of its UTF-16 units. */
const MOST_BYTES_OF_UNIT = 3;

/** `path_start` of a path, as the engine cuts it. */
export function pathStart(path: string): string {
  if (path.length * MOST_BYTES_OF_UNIT <= PATH_START_BYTES || Buffer.byteLength(path) <= PATH_START_BYTES)
    return path;
  return Buffer.from(path).subarray(0, PATH_START_BYTES).toString();
}

/** `query_start` of a query. */
export function queryStart(query: string): string {
  if (query.length <= QUERY_START_CHARACTERS) return query;
  return Array.from(query).slice(0, QUERY_START_CHARACTERS).join('');
}

const queryStartOf = (row: string) => `substringUTF8(${row}query, 1, ${QUERY_START_CHARACTERS})`;

/** SQL over `requests AS r`: whether a request is not a person's. */
export const notHuman = "toBool(r.traffic_class != 'human')";

export const dimensions = {
  country: { ofRequests: 'r.country', type: text },
  region: { ofRequests: 'r.region', type: text },
  city: { ofRequests: 'r.city', type: text },
  traffic_class: { ofRequests: 'r.traffic_class', type: text },
  status: { ofRequests: 'r.status', type: z.number() },
  /** First digit of the status. */
  status_class: { ofRequests: 'intDiv(r.status, 100)', type: z.number() },
  /** Answered 4xx or 5xx. */
  is_error: { ofRequests: '(r.status BETWEEN 400 AND 599)', type: z.number() },
  /** Whether it is not a person's. The column of the same name stores whether it claims to be a bot. */
  is_bot: { ofRequests: notHuman, type: z.boolean() },
  bot_name: { ofRequests: 'r.bot_name', type: text },
  bot_variant: { ofRequests: 'r.bot_variant', type: text },
  bot_family: { ofRequests: 'r.bot_family', type: text },
  bot_operator: { ofRequests: 'r.bot_operator', type: text },
  bot_category: { ofRequests: 'r.bot_category', type: text },
  /** Name and family in lower case, for filters: a caller may use either. */
  crawler_names: { ofRequests: crawlerNamesOf('r.'), type: z.array(text) },
  ai_intent: { ofRequests: 'r.ai_intent', type: text },
  /** The method that decided on the claim, or will decide (shared/requests/enriched-request.ts). */
  verification_method: { ofRequests: 'r.verification_method', type: text },
  /** Version of the rules that classified the request. */
  rules_version: { ofRequests: 'r.rules_version', type: text },
  /** The value stored by the enricher. */
  bot_verification: { ofRequests: 'r.bot_verification', type: text },
  /** Address of a claim that was pending when it was stored; '::' for all others. */
  pending_ip: { ofRequests: "if(r.bot_verification = 'pending', r.client_ip, toIPv6('::'))", type: text },
  /** The current verification of the claim (verification.ts). No table stores it: it is derived from family, verification and address. */
  verification: { ofRequests: null, type: text },
  client_ip: { ofRequests: 'r.client_ip', type: text },
  /** Network of the address: 192.0.2.0/24 or 2001:db8:7::/48. */
  network: { ofRequests: networkOf('r.client_ip'), type: text },
  /** In lower case, without a port; '' if the log has none. */
  host: { ofRequests: 'r.host', type: text },
  path: { ofRequests: 'r.path', type: text },
  /** The path for lists of very many paths: a log may have paths of many kilobytes. */
  path_start: { ofRequests: pathStartOf('r.'), type: text },
  /** Without `?`; '' if there is none. */
  query: { ofRequests: 'r.query', type: text },
  /** The query for lists. */
  query_start: { ofRequests: queryStartOf('r.'), type: text },
  file_type: { ofRequests: 'r.file_type', type: text },
  /** Whether the request had a query string. */
  has_query: { ofRequests: "(r.query != '')", type: z.number() },
  referrer_domain: { ofRequests: 'r.referrer_domain', type: text },
  referrer_class: { ofRequests: 'r.referrer_class', type: text },
  ai_operator: { ofRequests: 'r.ai_operator', type: text },
  device_type: { ofRequests: 'r.device_type', type: text },
  os: { ofRequests: 'r.os', type: text },
  browser: { ofRequests: 'r.browser', type: text },
} as const satisfies Record<string, { ofRequests: string | null; type: z.ZodType }>;

export type DimensionName = keyof typeof dimensions;
export type DimensionValue<Name extends DimensionName> = z.output<(typeof dimensions)[Name]['type']>;

/** The dimensions that determine the verification of a claim. A rollup with these has the dimension `verification`. */
export const claimDimensions = ['bot_family', 'bot_verification', 'pending_ip'] as const;

/** SQL over the columns of tables that store the source dimensions. */
export const networkColumn = networkOf('client_ip');
export const crawlerNamesColumn = crawlerNamesOf('');
export const pathStartColumn = pathStartOf('');
export const queryStartColumn = queryStartOf('');

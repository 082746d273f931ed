import { words } from '../util/cut-text.js';
import { type HeaderField, headerFields } from '../util/header-field.js';

/** The content of a variable of a log format. `skipped`: it is not read. */
export type Part =
  | HeaderField
  | 'skipped'
  | 'time'
  | 'address'
  /** The first line of a request: method, target, protocol. */
  | 'request'
  | 'method'
  /** Path with its query, or an absolute URL. */
  | 'target'
  /** Path without its query. */
  | 'path'
  | 'is_args'
  /** Query without and with its question mark. */
  | 'args'
  | 'query'
  /** Host and target, with nothing in between. */
  | 'host_and_target'
  | 'protocol'
  | 'status'
  | 'bytes'
  | 'body_bytes'
  | 'seconds'
  | 'milliseconds'
  | 'microseconds'
  | 'server_name'
  | 'content_type'
  | 'cache_status';

const nginxVariables: ReadonlyMap<string, Part> = new Map([
  ['time_local', 'time'],
  ['time_iso8601', 'time'],
  ['msec', 'time'],
  ['remote_addr', 'address'],
  ['proxy_add_x_forwarded_for', 'forwarded_for'],
  ['request', 'request'],
  ['request_method', 'method'],
  ['request_uri', 'target'],
  ['uri', 'path'],
  ['document_uri', 'path'],
  ['is_args', 'is_args'],
  ['args', 'args'],
  ['query_string', 'args'],
  ['server_protocol', 'protocol'],
  ['status', 'status'],
  ['bytes_sent', 'bytes'],
  ['body_bytes_sent', 'body_bytes'],
  ['request_time', 'seconds'],
  ['host', 'host'],
  ['server_name', 'server_name'],
  ['request_id', 'request_id'],
  ['req_id', 'request_id'],
  ['sent_http_content_type', 'content_type'],
  ['upstream_http_content_type', 'content_type'],
  ['upstream_cache_status', 'cache_status'],
  ['geoip_country_code', 'country'],
  ['geoip2_country_code', 'country'],
  ['geoip2_data_country_code', 'country'],
]);

/** @param name without its dollar sign */
export function nginxPart(name: string): Part {
  const part = nginxVariables.get(name);
  if (part !== undefined) return part;
  if (!name.startsWith('http_')) return 'skipped';
  return headerFields.get(name.slice('http_'.length).replaceAll('_', '-')) ?? 'skipped';
}

/** Text that a client may write into a variable: any text, a word without spaces, or none. */
export type Chosen = 'text' | 'word' | 'nothing';

const nginxTexts: ReadonlySet<string> = new Set(
  words(`
    args query_string request request_uri uri document_uri document_root request_body request_filename remote_user
    proxy_add_x_forwarded_for ssl_client_s_dn ssl_client_i_dn ssl_server_name`),
);

/** @param name without its dollar sign */
export function nginxChosen(name: string): Chosen {
  if (nginxTexts.has(name) || /^(?:http|cookie|arg)_/.test(name)) return 'text';
  return name === 'host' ? 'word' : 'nothing';
}

/** @param letter of the directive. @param name text in its braces; '' for none */
export function apacheChosen(letter: string, name: string): Chosen {
  if (name !== '') return letter === 'i' || letter === 'C' || letter === '^ti' ? 'text' : 'nothing';
  if ('rUqfu'.includes(letter)) return 'text';
  return letter === 'V' ? 'word' : 'nothing';
}

/** Whether one variable is a list, with spaces after its commas: `0.1, 0.2`. */
export function isList(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.startsWith('upstream_') || lower.includes('forwarded') || lower.includes('upstream');
}

const apacheDirectives: ReadonlyMap<string, Part> = new Map([
  ['a', 'address'],
  ['h', 'address'],
  ['t', 'time'],
  ['r', 'request'],
  ['m', 'method'],
  ['U', 'path'],
  ['q', 'query'],
  ['H', 'protocol'],
  ['s', 'status'],
  ['B', 'body_bytes'],
  ['b', 'body_bytes'],
  ['O', 'bytes'],
  ['D', 'microseconds'],
  ['T', 'seconds'],
  ['v', 'server_name'],
  ['V', 'server_name'],
  ['L', 'request_id'],
]);

const units: ReadonlyMap<string, Part> = new Map([
  ['s', 'seconds'],
  ['ms', 'milliseconds'],
  ['us', 'microseconds'],
]);

const environment: ReadonlyMap<string, Part> = new Map([
  ['unique_id', 'request_id'],
  ['geoip_country_code', 'country'],
  ['mm_country_code', 'country'],
]);

/**
 * @param letter of the directive, without percent sign and modifiers
 * @param name text in its braces; '' for none
 */
export function apachePart(letter: string, name: string): Part {
  if (name === '') return apacheDirectives.get(letter) ?? 'skipped';
  const lower = name.toLowerCase();
  if (letter === 'i') return headerFields.get(lower) ?? 'skipped';
  if (letter === 'o') return lower === 'content-type' ? 'content_type' : 'skipped';
  if (letter === 'T') return units.get(name) ?? 'skipped';
  if (letter === 'e') return environment.get(lower) ?? 'skipped';
  return letter === 't' && isWholeTime(name) ? 'time' : 'skipped';
}

/** For Apache's `%{…}t`: a number since the epoch, or a date with its year. Other forms are parts of a time. */
function isWholeTime(name: string): boolean {
  const format = name.replace(/^(?:begin|end):/, '');
  if (format === 'sec' || format === 'msec' || format === 'usec' || format === '%s') return true;
  return format.includes('%Y') || format.includes('%F');
}

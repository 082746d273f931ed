import { FILE_HEADER } from '../../../shared/store/answer-file.js';
import { badArguments } from './engine-error.js';
import { stringLiteral } from './literals.js';

/** Options in a request's query string, without the statement's text. */
export interface RequestOptions {
  readonly query: string;
  readonly queryId: string | null;
  readonly database: string;
  readonly defaultFormat: string | null;
  /** Compression of an answer that is first written to a file; null: the answer is sent directly. */
  readonly answerFile: 'none' | 'gzip' | 'zstd' | null;
  readonly params: ReadonlyMap<string, string>;
  /** Settings of this one statement. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Options for a server's HTTP handler or its users, without effect here. */
const ignored = new Set([
  'add_http_cors_header',
  'buffer_size',
  'cancel_http_readonly_queries_on_client_close',
  'client_protocol_version',
  'close_session',
  'compress',
  'decompress',
  'http_headers_progress_interval_ms',
  'http_native_compression_disable_checksumming_on_decompress',
  'http_wait_end_of_query',
  'http_write_exception_in_output_format',
  'http_zlib_compression_level',
  'password',
  'quota_key',
  'send_progress_in_http_headers',
  'stacktrace',
  'user',
  'wait_end_of_query',
]);

/** Options with effect beyond their statement; the engine's sessions are shared. */
const refused = new Set(['session_id', 'session_timeout', 'session_check', 'role']);

const control = new Set(['query', 'query_id', 'database', 'default_format', 'enable_http_compression']);

/** @throws EngineError 36 for options that need a server's sessions or roles, and for invalid names of settings. */
export function readRequestOptions(
  search: URLSearchParams,
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): RequestOptions {
  const params = new Map<string, string>();
  const settings = new Map<string, string>();
  for (const [name, value] of search) {
    if (refused.has(name)) throw badArguments(`the embedded engine has no sessions and roles (${name})`);
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
    else if (!control.has(name) && !ignored.has(name)) settings.set(name, value);
  }
  return {
    query: search.get('query') ?? '',
    queryId: search.get('query_id'),
    database: search.get('database') ?? 'default',
    defaultFormat: search.get('default_format'),
    answerFile: headers[FILE_HEADER] === 'file' ? fileCompression(search, headers['accept-encoding']) : null,
    params,
    settings,
  };
}

function fileCompression(search: URLSearchParams, accepted: unknown): 'none' | 'gzip' | 'zstd' {
  if (search.get('enable_http_compression') !== '1') return 'none';
  return accepted === 'zstd' ? 'zstd' : 'gzip';
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,127}$/;
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,18})$/;

/**
 * Settings as the list after the keyword SETTINGS. They are always part of their statement: `SET` would change the
 * session, and a deduplication token left in the session would drop later rows.
 */
export function settingsList(settings: ReadonlyMap<string, string>): string {
  return [...settings]
    .map(([name, value]) => {
      if (!NAME.test(name)) throw badArguments(`${JSON.stringify(name)} is not a valid name of a setting`);
      return `${name} = ${PLAIN_NUMBER.test(value) ? value : stringLiteral(value)}`;
    })
    .join(', ');
}

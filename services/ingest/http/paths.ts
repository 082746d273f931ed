import { ELASTICSEARCH_PATH, isBulkPath } from '../senders/elasticsearch.js';
import { LOKI_PATH } from '../senders/loki.js';
import { isCollectorPath } from '../senders/splunk.js';

export const UPLOAD_PATH = '/v1/logs';

/** Where Fastly asks whether a host takes its logs, before it sends any. */
const FASTLY_CHALLENGE_PATH = '/.well-known/fastly/logging/challenge';

/** Whatever is not the query. */
export type Place =
  /** `pathKey`: the ingest key, for senders that can set neither a header nor a query; null: it is elsewhere. */
  | { readonly kind: 'upload'; readonly pathKey: string | null }
  | { readonly kind: 'elasticsearch' }
  | { readonly kind: 'fastly-challenge' }
  | { readonly kind: 'health' }
  | { readonly kind: 'nowhere' };

const healthPaths = new Set(['/healthz', '/readyz']);

/** What is asked for by a path. An OTLP exporter appends `/v1/logs` to the address it is given, also to one that ends so. */
export function placeOf(path: string): Place {
  if (path === UPLOAD_PATH || path === `${UPLOAD_PATH}/`) return { kind: 'upload', pathKey: null };
  if (isBulkPath(path) || isCollectorPath(path) || path === LOKI_PATH)
    return { kind: 'upload', pathKey: null };
  if (path.startsWith(`${UPLOAD_PATH}/`)) {
    let rest = path.slice(UPLOAD_PATH.length + 1);
    if (`/${rest}` === UPLOAD_PATH) return { kind: 'upload', pathKey: null };
    if (rest.endsWith(UPLOAD_PATH)) rest = rest.slice(0, -UPLOAD_PATH.length);
    const key = rest.endsWith('/') ? rest.slice(0, -1) : rest;
    return key.includes('/') ? { kind: 'nowhere' } : { kind: 'upload', pathKey: key };
  }
  if (path === ELASTICSEARCH_PATH || path.startsWith(`${ELASTICSEARCH_PATH}/`))
    return { kind: 'elasticsearch' };
  if (path === FASTLY_CHALLENGE_PATH) return { kind: 'fastly-challenge' };
  return healthPaths.has(path) ? { kind: 'health' } : { kind: 'nowhere' };
}

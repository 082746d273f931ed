import { ELASTICSEARCH_PATH, isBulkPath } from '../senders/elasticsearch.js';
import { LOKI_PATH } from '../senders/loki.js';
import { isCollectorPath } from '../senders/splunk.js';

export const UPLOAD_PATH = '/v1/logs';

/** Fastly requests this path before it sends logs to a host. */
const FASTLY_CHALLENGE_PATH = '/.well-known/fastly/logging/challenge';

/** The endpoint of a path. */
export type Place =
  /** `pathKey` is the ingest key, for senders that can set neither a header nor a query; null if it is elsewhere. */
  | { readonly kind: 'upload'; readonly pathKey: string | null }
  | { readonly kind: 'elasticsearch' }
  | { readonly kind: 'fastly-challenge' }
  | { readonly kind: 'health' }
  | { readonly kind: 'nowhere' };

const healthPaths = new Set(['/healthz', '/readyz']);

/**
 * Finds the endpoint of a path. An OTLP exporter appends `/v1/logs` to its address, even if the address already ends
 * in it.
 */
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

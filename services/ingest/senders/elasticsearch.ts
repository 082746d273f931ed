import type { Sender } from './sender.js';

/**
 * Shippers that write to Elasticsearch alone (Filebeat): a bulk upload is answered with an item for each of its actions.
 * A rejected line counts as taken here, because a shipper would only drop it; the setup status reports it.
 */
export const elasticsearch: Sender = {
  name: 'elasticsearch',
  matches: ({ path }) => path.startsWith(ELASTICSEARCH_PATH),
  shapeAnswer({ status, headers, body }, _request, tally) {
    const marked = { ...headers, ...elasticsearchHeaders };
    if (status !== 200) {
      const reason = String((body as { detail?: unknown }).detail ?? '');
      return { status, headers: marked, body: { error: { type: 'loglane', reason }, status } };
    }
    const items = Array.from({ length: tally?.bulkActions ?? 0 }, () => created);
    return { status, headers: marked, body: { took: 0, errors: false, items } };
  },
};

/** Prefix of the paths that such a shipper requests. */
export const ELASTICSEARCH_PATH = '/v1/elasticsearch';

const created = { create: { status: 201 } };

/** Newer shippers refuse a server without it. */
export const elasticsearchHeaders = { 'x-elastic-product': 'Elasticsearch' } as const;

/** The answer to `GET /`, from which shippers take the version whose bulk form they send. */
export const elasticsearchGreeting = {
  name: 'loglane',
  cluster_name: 'loglane',
  version: { number: '8.11.0', build_flavor: 'default' },
  tagline: 'You Know, for Search',
} as const;

/** The path of a bulk upload, with an index before it or without. */
export function isBulkPath(path: string): boolean {
  return path.startsWith(ELASTICSEARCH_PATH) && path.endsWith('/_bulk');
}

import { z } from 'zod';
import type { ClickHouseReader, Query } from '../../store/client.js';
import type { Part } from '../sql/read-together.js';

/** The state of a website's sitemaps, and their listed paths. */

const problems = z.array(z.object({ sitemap: z.string(), problem: z.string() }));

const stateRow = z.object({
  fetches: z.number(),
  /** Start of the last fetch, milliseconds since the epoch. */
  lastChecked: z.number(),
  /** Start of the last complete fetch: pages that it did not list are unlisted. null: none. */
  lastComplete: z.number().nullable(),
  /** Starts of all complete fetches, in order. */
  completeFetches: z.array(z.number()),
  /** Whether any fetch read a sitemap, even partly. */
  anyRead: z.boolean(),
  /** Whether the last fetch was complete. */
  complete: z.boolean(),
  /** Why it was incomplete (shared/sitemaps/walk-sitemaps.ts). */
  reason: z.string().transform((reason) => (reason === '' ? null : reason)),
  files: z.number(),
  failedFiles: z.number(),
  foreignUrls: z.number(),
  invalidUrls: z.number(),
  // Empty without a fetch.
  problems: z.string().transform((text) => problems.parse(JSON.parse(text || '[]'))),
});
/** The last fetch of a website's sitemaps. */
export type SitemapState = Readonly<Omit<z.output<typeof stateRow>, 'fetches'>>;

/** null: never fetched. */
export async function readSitemapState(
  reader: ClickHouseReader,
  websiteId: string,
): Promise<SitemapState | null> {
  return readState(reader, websiteId, stateRow, '');
}

/** Whether any URL that is or was listed has a query. */
const LISTS_QUERIES = `(SELECT count() FROM (SELECT 1 FROM sitemap_urls WHERE website_id = {website_id: String} AND query != '' LIMIT 1)) > 0`;
const listingRow = stateRow.extend({ listsQueries: z.coerce.boolean() });
export type ListingState = SitemapState & Pick<z.output<typeof listingRow>, 'listsQueries'>;

/** The state in one statement, and whether a listed URL has a query. It may also be one that is no longer listed. */
export async function readListingState(
  reader: ClickHouseReader,
  websiteId: string,
): Promise<ListingState | null> {
  return readState(reader, websiteId, listingRow, `${LISTS_QUERIES} AS listsQueries, `);
}

async function readState<Row extends z.output<typeof stateRow>>(
  reader: ClickHouseReader,
  websiteId: string,
  schema: z.ZodType<Row>,
  also: string,
): Promise<Row | null> {
  const query = stateQuery(websiteId, schema, also);
  const [row] = await reader.read({ ...query, restsOn: { websiteId, part: 'other_tables' } });
  return row === undefined || row.fetches === 0 ? null : row;
}

function stateQuery<Row>(websiteId: string, row: z.ZodType<Row>, also: string): Query<Row> {
  const last = (column: string) => `argMax(f.${column}, f.fetched_at)`;
  return {
    name: 'sitemap.state',
    sql: `SELECT ${also}count() AS fetches, toBool(max(f.files > 0 OR f.urls > 0)) AS anyRead, toUnixTimestamp64Milli(max(f.fetched_at)) AS lastChecked,
  toUnixTimestamp64Milli(maxOrNullIf(f.fetched_at, f.complete)) AS lastComplete,
  arraySort(groupUniqArrayIf(toUnixTimestamp64Milli(f.fetched_at), f.complete)) AS completeFetches, ${last('complete')} AS complete, ${last('reason')} AS reason,
  ${last('files')} AS files, ${last('failed_files')} AS failedFiles, ${last('foreign_urls')} AS foreignUrls,
  ${last('invalid_urls')} AS invalidUrls, ${last('problems')} AS problems
FROM sitemap_fetches AS f
WHERE f.website_id = {website_id: String}`,
    params: { website_id: websiteId },
    row,
  };
}

/** Whether a path is listed. `unknown`: there is no complete fetch. */
export type Membership = 'present' | 'removed' | 'not_found' | 'unknown';

export interface PathMembership {
  readonly status: Membership;
  /** The last fetch was complete and confirms it. */
  readonly confirmed: boolean;
  /** Milliseconds since the epoch; null if it was never listed. */
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  /** Start of the first complete fetch that no longer listed it; null if it is not removed. */
  readonly removedAt: number | null;
}

const membershipRow = z.object({
  path: z.string(),
  first_seen_ms: z.number(),
  last_seen_ms: z.number(),
});
type ListedPath = z.infer<typeof membershipRow>;

/**
 * The membership of each path, by path.
 * @param paths at most some hundred: they are parameters of the statement.
 * @param state of the website, from `readSitemapState`.
 */
export async function readMembership(
  reader: ClickHouseReader,
  websiteId: string,
  paths: readonly string[],
  state: SitemapState | null,
): Promise<ReadonlyMap<string, PathMembership>> {
  const rows = await reader.read({ name: 'sitemap.membership', ...everListed(websiteId, paths) });
  const listed = new Map(rows.map((row) => [row.path, row]));
  return new Map(paths.map((path) => [path, toMembership(listed.get(path), state)]));
}

/** The paths among these that the sitemaps list or have listed. @param paths as for `readMembership` */
export function everListed(websiteId: string, paths: readonly string[]): Part<ListedPath> {
  return {
    sql: `SELECT u.path AS path, toUnixTimestamp64Milli(min(u.first_seen)) AS first_seen_ms,
  toUnixTimestamp64Milli(max(u.last_seen)) AS last_seen_ms
FROM sitemap_urls AS u
WHERE u.website_id = {website_id: String} AND u.path IN {paths: Array(String)}
GROUP BY u.path`,
    params: { website_id: websiteId, paths },
    row: membershipRow,
    restsOn: { websiteId, part: 'other_tables' },
  };
}

function neverListed(state: SitemapState | null): PathMembership {
  const isKnown = state !== null && state.lastComplete !== null;
  const status = isKnown ? 'not_found' : 'unknown';
  return { status, confirmed: isKnown && state.complete, firstSeen: null, lastSeen: null, removedAt: null };
}

/** @param row undefined: the path was never listed. */
export function toMembership(row: ListedPath | undefined, state: SitemapState | null): PathMembership {
  if (row === undefined) return neverListed(state);
  const removedAt = state?.completeFetches.find((start) => start > row.last_seen_ms) ?? null;
  return {
    status: removedAt === null ? 'present' : 'removed',
    confirmed: state?.complete ?? false,
    firstSeen: row.first_seen_ms,
    lastSeen: row.last_seen_ms,
    removedAt,
  };
}

import { z } from 'zod';
import { planOf } from '../../../shared/control/domain/plans.js';
import { DAY_MS } from '../../../shared/durations.js';
import { PublicError } from '../../../shared/errors.js';
import { refreshRobots } from '../../../shared/site-files/refresh-robots.js';
import { refreshSitemaps } from '../../../shared/site-files/refresh-sitemaps.js';
import { sitemapLimits } from '../../../shared/sitemaps/limits.js';
import type { SitemapWalk } from '../../../shared/sitemaps/walk-tally.js';
import type { StoredData } from '../erasure/stored-data.js';
import { givenFiles } from './given-files.js';
import { FETCHES_KEPT_DAYS, isFetchStored } from './stored-fetches.js';

/** Files of a website that can't be fetched. The operator sends them, and they are stored as a fetch would store them. */

const fetchedAt = z.iso.datetime({ offset: true }).nullable();
const content = z.string();

/** Input of the operator; contents in base64. `fetchedAt`: time when the website served the files; null: now. */
export const givenRobots = z.strictObject({ websiteId: z.string(), fetchedAt, content });
export const givenSitemaps = z.strictObject({
  websiteId: z.string(),
  fetchedAt,
  files: z
    .array(z.strictObject({ name: z.string().min(1), content }))
    .min(1)
    .max(sitemapLimits.files),
});
export type GivenRobots = z.infer<typeof givenRobots>;
export type GivenSitemaps = z.infer<typeof givenSitemaps>;

/** The stored file; `fetchedAt` in ISO 8601. */
export interface StoredRobotsFile {
  readonly websiteId: string;
  readonly fetchedAt: string;
  /** SHA-256 of the file. */
  readonly hash: string;
}

export interface StoredSitemaps extends SitemapWalk {
  readonly websiteId: string;
  readonly fetchedAt: string;
}

export interface SiteFiles {
  /** @throws PublicError `not_found`, `invalid_request`, `conflict`; as `ClickHouseWriter.insert`. */
  storeRobots(given: GivenRobots): Promise<StoredRobotsFile>;
  /** @throws as storeRobots. */
  storeSitemaps(given: GivenSitemaps): Promise<StoredSitemaps>;
}

type SiteFilesOptions = Pick<StoredData, 'control' | 'clickhouse' | 'now'>;

/** Limit of all files of one call, as sent, since they are in memory together. */
const MAX_BYTES = 32 * 1024 ** 2;

/** Stores each file under its name at the root of the website. */
export function createSiteFiles(options: SiteFilesOptions): SiteFiles {
  return {
    async storeRobots(given) {
      const { website, at } = await begin(options, 'robots', given);
      const files = byPath([{ name: 'robots.txt', content: given.content }]);
      const { hash } = await refreshRobots(depsOf(options, files, at), website);
      return { websiteId: website.id, fetchedAt: new Date(at).toISOString(), hash };
    },
    async storeSitemaps(given) {
      const { website, organisation, at } = await begin(options, 'sitemaps', given);
      const files = byPath(given.files);
      const urls = [...files.keys()].map((path) => `https://${website.domain}${path}`);
      const maxUrls = planOf(organisation, options.now()).listedUrls;
      const walk = await refreshSitemaps(depsOf(options, files, at), website, { fromRobots: urls, maxUrls });
      return { websiteId: website.id, fetchedAt: new Date(at).toISOString(), ...walk };
    },
  };
}

const kindNames = { robots: 'a robots.txt', sitemaps: 'sitemaps' } as const;

async function begin(
  { control, clickhouse, now }: SiteFilesOptions,
  kind: 'robots' | 'sitemaps',
  given: GivenRobots | GivenSitemaps,
) {
  const website = control.state().websites.get(given.websiteId);
  if (website === undefined) throw new PublicError('not_found', `there is no website "${given.websiteId}"`);
  const at = given.fetchedAt === null ? now() : Date.parse(given.fetchedAt);
  if (at > now()) throw new PublicError('invalid_request', 'fetchedAt: is in the future');
  const days = FETCHES_KEPT_DAYS[kind];
  // The store would accept the fetch and drop it at once.
  if (at <= now() - days * DAY_MS)
    throw new PublicError(
      'invalid_request',
      `fetchedAt: is more than ${days} days ago, and a fetch of ${kindNames[kind]} is kept for ${days} days`,
    );
  if (await isFetchStored(clickhouse, kind, { websiteId: website.id, fetchedAt: at }))
    throw new PublicError('conflict', 'fetchedAt: a fetch of this time is already stored; give another time');
  const organisation = control.state().organisations.get(website.organisationId)!;
  return { website, organisation, at };
}

function depsOf({ clickhouse }: SiteFilesOptions, files: ReadonlyMap<string, Uint8Array>, at: number) {
  const { signal } = new AbortController();
  return { fetch: givenFiles(files), clickhouse, now: () => at, signal };
}

/** Contents by path on the website. */
function byPath(files: GivenSitemaps['files']): Map<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const { name, content: base64 } of files) {
    const path = `/${encodeURIComponent(name)}`;
    if (contents.has(path)) throw new PublicError('invalid_request', `two files have the name ${name}`);
    const file = Buffer.from(base64, 'base64');
    bytes += file.length;
    if (bytes > MAX_BYTES)
      throw new PublicError('invalid_request', 'the files are larger than 32 MiB: compress them with gzip');
    contents.set(path, file);
  }
  return contents;
}

import type { ClickHouseReader } from '../../store/client.js';
import { type CrawlBases, verificationsOf } from '../bots/crawl-basis-sql.js';
import { oneOf } from '../sql/filters.js';
import { notFound } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';

/** The requests of a path that were answered 404, and their senders. */
export interface NotFoundPath {
  readonly path: string;
  readonly hits: number;
  readonly people: number;
  /** Requests of search crawlers and AI crawlers, as their basis selects them. */
  readonly search: number;
  readonly ai: number;
  /** Requests of verified bots. */
  readonly verified: number;
  readonly first_seen: number;
  readonly last_seen: number;
  /** Requests whose path was sent in the stored form. */
  readonly as_stored: number;
}

/** By path, unordered. @throws as ClickHouseReader.read */
export async function readNotFound(
  reader: ClickHouseReader,
  scope: Scope,
  paths: readonly string[],
  bases: CrawlBases,
): Promise<NotFoundPath[]> {
  const rows = await readByTexts(paths, (batch) => readSenders(reader, scope, batch));
  const found = new Map<string, NotFoundPath>();
  for (const row of rows) {
    const other = found.get(row.path) ?? { ...nothing, path: row.path };
    const { search, ai, verified } = botsOf(row, bases);
    found.set(row.path, {
      path: row.path,
      hits: other.hits + row.requests,
      people: other.people + (row.traffic_class === 'human' ? row.requests : 0),
      search: other.search + search,
      ai: other.ai + ai,
      verified: other.verified + verified,
      first_seen: Math.min(other.first_seen, row.first_seen),
      last_seen: Math.max(other.last_seen, row.last_seen),
      as_stored: other.as_stored + row.as_stored,
    });
  }
  return [...found.values()];
}

const nothing = {
  ...{ hits: 0, people: 0, search: 0, ai: 0, verified: 0, as_stored: 0 },
  ...{ first_seen: Number.POSITIVE_INFINITY, last_seen: 0 },
};

/** A path has a row for each class and verification, which are few. */
function readSenders(reader: ClickHouseReader, scope: Scope, paths: readonly string[]) {
  return selectList(reader, scope, {
    name: 'recommendations.not_found',
    from: [notFound],
    by: ['path', 'traffic_class', 'verification'],
    metrics: ['requests', 'as_stored', 'first_seen', 'last_seen'],
    where: [oneOf('path', paths)],
    foldedHere: true,
  });
}

type Senders = Awaited<ReturnType<typeof readSenders>>[number];

function botsOf({ traffic_class, verification, requests }: Senders, bases: CrawlBases) {
  const counted = (of: 'search' | 'ai') =>
    traffic_class === `${of}_bot` && verificationsOf[bases[of]].includes(verification) ? requests : 0;
  return {
    search: counted('search'),
    ai: counted('ai'),
    verified: verification === 'verified' ? requests : 0,
  };
}

import { LRUCache } from 'lru-cache';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { groupBy } from '../../../shared/group-by.js';
import { createFairQueue } from '../../../shared/pacing/fair-queue.js';
import {
  type FilledBucket,
  fillStatement,
  type WantedRows,
} from '../../../shared/reads/hours/fill-statement.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { StoreTimeoutError, StoreUnavailableError } from '../../../shared/store/store-errors.js';
import type { Payer } from '../limits/share-reads.js';

/**
 * Reads the same hours of several websites with one statement: most of a small statement's cost does not depend on its rows. While
 * statements run, further wanted rows wait. The next statement reads those that want the same hours together.
 */

/**
 * Statements at once, for all organisations. Those that read longer times do not delay those of a changed hour, and neither do those that
 * test the rules of a segment. The embedded engine has two sessions for such scans.
 */
const MOST_AT_ONCE = { short: 2, long: 1, segment: 1 };
const LONGEST_SHORT_MS = 6 * HOUR_MS;
const MOST_WEBSITES = 20;
/** The answer in the engine's memory. All rows of a bucket are parsed at once, which takes some 10 ms per megabyte. */
export const MOST_BYTES = 8 * 1024 ** 2;
/** Expected characters of a statement for several websites: far below the bound, because expectations are rough. */
const MOST_EXPECTED = MOST_BYTES / 2;
/** Others wait for the statement. */
const TIMEOUT_MS = 10 * SECOND_MS;
/** Then the engine answers, for which organisations do not wait for each other. */
const MOST_WAIT_MS = 5 * SECOND_MS;
/** After a statement that ran out of time, its websites are read without others for this time. */
const ALONE_MS = 10 * MINUTE_MS;
const MOST_ALONE = 10_000;
const WAITING = { total: 4_096, mostOfOwner: 256 };

export interface Wanted extends WantedRows {
  readonly websiteId: string;
  /** Expected length of the answer. One statement reads rows of several websites as far as the sum of these lengths allows. */
  readonly expectedCharacters: number;
  readonly payer: Payer;
}

export interface ReadRows {
  readonly buckets: readonly FilledBucket[];
  /** Length of their part of the answer. */
  readonly characters: number;
}

export interface FillReader {
  /** @throws TooManyFillsError; as Payer.pay and ClickHouseReader.read, by the rows of this website alone */
  read(wanted: Wanted): Promise<ReadRows>;
}

/** The rows are not read because of other reads. */
export class TooManyFillsError extends Error {}

interface Waiting extends Wanted {
  /** Items with the same key are read together. */
  readonly key: string;
  /** Ends the wait. */
  timer?: NodeJS.Timeout;
  resolve(rows: ReadRows): void;
  reject(error: unknown): void;
}

export function createFillReader(reader: ClickHouseReader): FillReader {
  const alone = new LRUCache<string, true>({ max: MOST_ALONE, ttl: ALONE_MS });
  const lane = (most: number) => createLane(reader, most, alone);
  const lanes = {
    short: lane(MOST_AT_ONCE.short),
    long: lane(MOST_AT_ONCE.long),
    segment: lane(MOST_AT_ONCE.segment),
  };
  return {
    async read(wanted) {
      await wanted.payer.pay();
      if (wanted.rollup.segment !== undefined) return lanes.segment(wanted);
      const length = wanted.ranges.reduce((sum, { from, to }) => sum + to - from, 0);
      return (length <= LONGEST_SHORT_MS ? lanes.short : lanes.long)(wanted);
    },
  };
}

type Lane = (wanted: Wanted) => Promise<ReadRows>;
/** Websites that are read without others. */
type Alone = Pick<LRUCache<string, true>, 'has' | 'set'>;

function createLane(reader: ClickHouseReader, most: number, alone: Alone): Lane {
  /** Organisations take turns. */
  const queue = createFairQueue<Waiting>(WAITING);
  /** The same items by key, in order of arrival. */
  const same = new Map<string, Set<Waiting>>();
  let running = 0;

  function take(): Waiting[] | null {
    const first = queue.take(() => true)?.item;
    if (first === undefined) return null;
    const all = same.get(first.key)!;
    const websites = new Set([first.websiteId]);
    let expected = first.expectedCharacters;
    const taken = [first];
    for (const one of all) {
      if (one === first) continue;
      if (!websites.has(one.websiteId)) {
        const sum = expected + one.expectedCharacters;
        if (websites.size === MOST_WEBSITES || sum > MOST_EXPECTED) continue;
        expected = sum;
        websites.add(one.websiteId);
      }
      taken.push(one);
      queue.remove(one.payer.organisationId, one);
    }
    for (const one of taken) forget(one);
    return taken;
  }

  function forget(one: Waiting): void {
    clearTimeout(one.timer);
    const all = same.get(one.key)!;
    all.delete(one);
    if (all.size === 0) same.delete(one.key);
  }

  function giveUp(one: Waiting): void {
    queue.remove(one.payer.organisationId, one);
    forget(one);
    one.reject(new TooManyFillsError('other reads of hours take too long'));
  }

  function run(): void {
    while (running < most) {
      const taken = take();
      if (taken === null) return;
      running += 1;
      void readJoined(reader, taken, alone).finally(() => {
        running -= 1;
        run();
      });
    }
  }

  return (wanted) =>
    new Promise((resolve, reject) => {
      const { organisationId } = wanted.payer;
      if (!queue.hasRoom(organisationId)) {
        reject(new TooManyFillsError('too many reads of hours are waiting'));
        return;
      }
      const { websiteId } = wanted;
      const key = [keyOf(wanted), ...(alone.has(websiteId) ? [websiteId] : [])].join();
      const one: Waiting = { ...wanted, key, resolve, reject };
      one.timer = setTimeout(giveUp, MOST_WAIT_MS, one);
      queue.add(organisationId, one);
      same.set(key, (same.get(key) ?? new Set()).add(one));
      run();
    });
}

const keyOf = ({ rollup: { rollup }, unit, ranges }: WantedRows) =>
  [rollup.hourTable, unit, ...ranges.flatMap(({ from, to }) => [from, to])].join();

/**
 * Settles all of them. If the rows of one website may be the cause of an error, the others are read without it. A timeout
 * ends all of them: the slow website is unknown, so none counts as one with too many rows.
 */
async function readJoined(reader: ClickHouseReader, all: readonly Waiting[], alone: Alone): Promise<void> {
  const byWebsite = [...groupBy(all, ({ websiteId }) => websiteId).values()];
  try {
    const read = await readRows(reader, all[0]!, [...new Set(all.map(({ websiteId }) => websiteId))]);
    for (const one of all) {
      const rows = read(one.websiteId);
      one.payer.charge(rows.characters);
      one.resolve(rows);
    }
  } catch (error) {
    if (byWebsite.length === 1 || error instanceof StoreUnavailableError)
      for (const one of all) one.reject(error);
    else if (error instanceof StoreTimeoutError) {
      for (const one of all) {
        alone.set(one.websiteId, true);
        one.reject(new TooManyFillsError('a statement for several websites ran out of time'));
      }
    } else {
      const half = Math.ceil(byWebsite.length / 2);
      await readJoined(reader, byWebsite.slice(0, half).flat(), alone);
      await readJoined(reader, byWebsite.slice(half).flat(), alone);
    }
  }
}

/** @returns the rows of a website, with their share of the answer's length */
async function readRows(reader: ClickHouseReader, wanted: WantedRows, websiteIds: readonly string[]) {
  let characters = 0;
  const buckets = await reader.read({
    ...fillStatement(wanted, websiteIds),
    mostBytes: MOST_BYTES,
    timeoutMs: TIMEOUT_MS,
    report(statistics) {
      characters = statistics.characters;
    },
  });
  const lengthOf = (some: readonly FilledBucket[]) => some.reduce((sum, { length }) => sum + length, 0);
  const byWebsite = groupBy(buckets, ({ websiteId }) => websiteId);
  const total = Math.max(lengthOf(buckets), 1);
  return (websiteId: string): ReadRows => {
    const own = byWebsite.get(websiteId) ?? [];
    return { buckets: own, characters: Math.ceil((characters * lengthOf(own)) / total) };
  };
}

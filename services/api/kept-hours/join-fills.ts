import { HOUR_MS, SECOND_MS } from '../../../shared/durations.js';
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

/** Statements at once, for all organisations. Those that read longer times do not delay those of a changed hour. */
const MOST_AT_ONCE = { short: 2, long: 1 };
const LONGEST_SHORT_MS = 6 * HOUR_MS;
const MOST_WEBSITES = 20;
/** The answer in the engine's memory. All rows of a bucket are parsed at once, which takes some 10 ms per megabyte. */
export const MOST_BYTES = 8 * 1024 ** 2;
/** Others wait for the statement. */
const TIMEOUT_MS = 10 * SECOND_MS;
const WAITING = { total: 4_096, mostOfOwner: 256 };

export interface Wanted extends WantedRows {
  readonly websiteId: string;
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

/** Too many other reads of the organisation wait. */
export class TooManyFillsError extends Error {}

interface Waiting extends Wanted {
  resolve(rows: ReadRows): void;
  reject(error: unknown): void;
}

export function createFillReader(reader: ClickHouseReader): FillReader {
  const [short, long] = [MOST_AT_ONCE.short, MOST_AT_ONCE.long].map((most) => createLane(reader, most)) as [
    Lane,
    Lane,
  ];
  return {
    async read(wanted) {
      await wanted.payer.pay();
      const length = wanted.ranges.reduce((sum, { from, to }) => sum + to - from, 0);
      return (length <= LONGEST_SHORT_MS ? short : long)(wanted);
    },
  };
}

type Lane = (wanted: Wanted) => Promise<ReadRows>;

function createLane(reader: ClickHouseReader, most: number): Lane {
  /** Organisations take turns. */
  const queue = createFairQueue<Waiting>(WAITING);
  /** The same items by key, in order of arrival. */
  const same = new Map<string, Set<Waiting>>();
  let running = 0;

  function take(): Waiting[] | null {
    const first = queue.take(() => true)?.item;
    if (first === undefined) return null;
    const key = keyOf(first);
    const all = same.get(key)!;
    const websites = new Set([first.websiteId]);
    const taken = [first];
    for (const one of all) {
      if (one === first || (websites.size === MOST_WEBSITES && !websites.has(one.websiteId))) continue;
      websites.add(one.websiteId);
      taken.push(one);
      queue.remove(one.payer.organisationId, one);
    }
    for (const one of taken) all.delete(one);
    if (all.size === 0) same.delete(key);
    return taken;
  }

  function run(): void {
    while (running < most) {
      const taken = take();
      if (taken === null) return;
      running += 1;
      void readTogether(reader, taken).finally(() => {
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
      const one = { ...wanted, resolve, reject };
      queue.add(organisationId, one);
      const key = keyOf(wanted);
      same.set(key, (same.get(key) ?? new Set()).add(one));
      run();
    });
}

const keyOf = ({ rollup: { rollup }, unit, ranges }: WantedRows) =>
  [rollup.hourTable, unit, ...ranges.flatMap(({ from, to }) => [from, to])].join();

/** Settles all of them. If the rows of one website may be the cause of an error, the others are read without it. */
async function readTogether(reader: ClickHouseReader, all: readonly Waiting[]): Promise<void> {
  const byWebsite = [...groupBy(all, ({ websiteId }) => websiteId).values()];
  try {
    const read = await readRows(reader, all[0]!, [...new Set(all.map(({ websiteId }) => websiteId))]);
    for (const one of all) {
      const rows = read(one.websiteId);
      one.payer.charge(rows.characters);
      one.resolve(rows);
    }
  } catch (error) {
    if (byWebsite.length === 1 || isOfAll(error)) for (const one of all) one.reject(error);
    else {
      const half = Math.ceil(byWebsite.length / 2);
      await readTogether(reader, byWebsite.slice(0, half).flat());
      await readTogether(reader, byWebsite.slice(half).flat());
    }
  }
}

const isOfAll = (error: unknown) =>
  error instanceof StoreUnavailableError || error instanceof StoreTimeoutError;

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

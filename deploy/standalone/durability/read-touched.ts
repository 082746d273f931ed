import { DAY_MS } from '../../../shared/durations.js';
import type { EventLog, LogRecord } from '../../../shared/event-log/event-log.js';
import { decodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import type { RawBlock } from '../../../shared/requests/raw-request.js';
import type { Bucket } from '../../admin/rows/rebuild-rollups.js';
import { joinGroup } from '../../embedded/group-member.js';
import type { Stretch } from './checkpoint.js';

/** Buckets that may contain rows of the records, in the table or in a rollup. */
export interface Touched {
  /** Days of websites, by the rows' own time and by their receipt. */
  readonly buckets: readonly Bucket[];
  /** Earliest receipt, milliseconds since the epoch. */
  readonly receivedFrom: number;
}

/**
 * Finds the buckets of the records in the ranges. Only the log knows all of them: a row may be in a rollup but lost from the table.
 * @param group whose commits are at the starts of the ranges.
 * @throws errors of the log.
 */
export async function readTouched(
  log: EventLog,
  group: string,
  stretches: readonly Stretch[],
): Promise<Touched> {
  const touched = createTouched();
  const left = new Map(stretches.map((stretch) => [stretch.partition, stretch]));
  let end: (error?: Error) => void = () => {};
  const read = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  read.catch(() => {});
  const reader = await joinGroup(log, {
    group,
    async onRecords(partition, records) {
      const stretch = left.get(partition);
      if (stretch === undefined) return;
      const { from, to } = stretch;
      for (const record of records) if (record.offset >= from && record.offset < to) touched.add(record);
      if (records.at(-1)!.offset + 1 >= to) left.delete(partition);
      if (left.size === 0) end();
    },
    onCrash: end,
  });
  try {
    await read;
  } finally {
    await reader.stop();
  }
  return touched.all();
}

function createTouched() {
  const days = new Map<string, Set<number>>();
  let receivedFrom = Number.POSITIVE_INFINITY;
  return {
    add({ value }: LogRecord): void {
      const block = tryDecode(value);
      if (block === null) return;
      receivedFrom = Math.min(receivedFrom, block.received_at);
      const ofWebsite = days.get(block.website_id) ?? new Set<number>();
      days.set(block.website_id, ofWebsite);
      ofWebsite.add(Math.floor(block.received_at / DAY_MS));
      for (const { timestamp } of block.requests) ofWebsite.add(Math.floor(timestamp / DAY_MS));
    },
    all: (): Touched => ({
      receivedFrom,
      buckets: [...days].flatMap(([websiteId, ofWebsite]) =>
        [...ofWebsite].filter(isDate).map((day) => ({
          websiteId,
          day: new Date(day * DAY_MS).toISOString().slice(0, 10),
        })),
      ),
    }),
  };
}

/** A record that can't be decoded has no rows: it is in the dead-letter queue. */
function tryDecode(value: Buffer): RawBlock | null {
  try {
    return decodeRawBlock(value);
  } catch {
    return null;
  }
}

/** The range of a Date column: days since 1970 in two bytes. Rows of other times are in no bucket of a rollup. */
function isDate(day: number): boolean {
  return day >= 0 && day < 65_536;
}

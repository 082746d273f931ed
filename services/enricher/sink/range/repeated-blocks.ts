import { DAY_MS } from '../../../../shared/durations.js';
import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import { inPieces } from '../../../../shared/pacing/in-pieces.js';
import { readDeduplicationId } from '../../../../shared/requests/columns/raw-block-codec.js';
import type { ClickHouse } from '../../../../shared/store/client.js';
import {
  findUploadBlocks,
  insertUploadBlocks,
  type StoredUploadBlock,
  type UploadBlock,
} from './upload-blocks-table.js';

/**
 * Finds blocks of uploads that were sent again: their deduplication ids are equal (`deduplicationIdOf`, raw-block-codec.ts). The first block
 * with an id is stored; those that the log accepted within a day after it are left out. The decision uses
 * only earlier blocks in the partition, so that it is the same when a range is prepared again after a crash
 * (EXACTLY-ONCE.md).
 */

/**
 * Ids in one query. The embedded engine has them in the statement, which may have 256 KiB; a range may have
 * 10,000.
 */
const IDS_AT_ONCE = 1_000;

/** How long a stored block is remembered, by the log's time. */
const REMEMBERED_MS = DAY_MS;

/**
 * The blocks of named uploads among the records. The record's key contains the website, so that nothing is
 * decoded.
 */
export function namedBlocks(records: readonly LogRecord[]): UploadBlock[] {
  return records.flatMap(({ partition, offset, key, value, appendedAt }) => {
    const deduplicationId = readDeduplicationId(value);
    if (deduplicationId === null) return [];
    const end = key.lastIndexOf('/');
    const websiteId = end === -1 ? key : key.slice(0, end);
    return [{ websiteId, partition, deduplicationId, offset, appendedAt }];
  });
}

/**
 * Offsets of the blocks that repeat another one. Pure.
 * @param blocks of one range, in the log's order
 * @param stored blocks before the range, in any order
 */
export function repeatsAmong(
  blocks: readonly UploadBlock[],
  stored: readonly StoredUploadBlock[],
): Set<number> {
  const latest = new Map<string, number>();
  for (const { deduplicationId, appendedAt } of stored) {
    latest.set(deduplicationId, Math.max(appendedAt, latest.get(deduplicationId) ?? 0));
  }
  const repeats = new Set<number>();
  for (const { deduplicationId, offset, appendedAt } of blocks) {
    const before = latest.get(deduplicationId);
    if (before !== undefined && appendedAt - before <= REMEMBERED_MS) repeats.add(offset);
    else latest.set(deduplicationId, appendedAt);
  }
  return repeats;
}

export interface KnownBlocks {
  /** Offsets of the records that repeat a stored block. Call it when the previous range is done. */
  findRepeats(records: readonly LogRecord[]): Promise<ReadonlySet<number>>;
  /** Remembers the stored blocks of a range, before the range is done. A repeat changes nothing. */
  remember(records: readonly LogRecord[], token: string): Promise<void>;
}

const nothing: ReadonlySet<number> = new Set();

export function createKnownBlocks(clickhouse: ClickHouse): KnownBlocks {
  return {
    async findRepeats(records) {
      const blocks = namedBlocks(records);
      const first = blocks[0];
      if (first === undefined) return nothing;
      const before = (records[0] as LogRecord).offset;
      const stored: StoredUploadBlock[] = [];
      for (const some of inPieces(blocks, IDS_AT_ONCE)) {
        stored.push(
          ...(await findUploadBlocks(clickhouse, { partition: first.partition, blocks: some, before })),
        );
      }
      return repeatsAmong(blocks, stored);
    },
    async remember(records, token) {
      const blocks = namedBlocks(records);
      if (blocks.length > 0) await insertUploadBlocks(clickhouse, blocks, token);
    },
  };
}

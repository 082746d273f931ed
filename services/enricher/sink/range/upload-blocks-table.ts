import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../../../../shared/store/client.js';

/** Stored blocks of named uploads, by which repeated uploads are recognised. */

export interface UploadBlock {
  readonly websiteId: string;
  readonly partition: number;
  /** In the text form of a UUID (shared/requests/columns/raw-block-codec.ts). */
  readonly deduplicationId: string;
  readonly offset: number;
  /** When the log accepted it, milliseconds since the epoch. */
  readonly appendedAt: number;
}

const stored = z.object({ deduplicationId: z.string(), appendedAt: z.number() });
export type StoredUploadBlock = Readonly<z.output<typeof stored>>;

/**
 * The stored blocks of a partition before the offset `before` with the website and id of one of `blocks`.
 * @param blocks some hundreds at a time, since their ids are in the statement
 */
export function findUploadBlocks(
  reader: ClickHouseReader,
  {
    partition,
    blocks,
    before,
  }: {
    partition: number;
    blocks: readonly Pick<UploadBlock, 'websiteId' | 'deduplicationId'>[];
    before: number;
  },
): Promise<StoredUploadBlock[]> {
  return reader.read({
    name: 'upload_blocks.find',
    sql: `SELECT toString(deduplication_id) AS deduplicationId, toUnixTimestamp64Milli(appended_at) AS appendedAt
FROM upload_blocks
WHERE website_id IN {websites: Array(String)}
  AND log_partition = {partition: UInt16}
  AND deduplication_id IN {ids: Array(UUID)}
  AND log_offset < {before: UInt64}`,
    params: {
      websites: [...new Set(blocks.map(({ websiteId }) => websiteId))],
      partition,
      ids: blocks.map(({ deduplicationId }) => deduplicationId),
      before,
    },
    row: stored,
    caughtUpWith: ['upload_blocks'],
  });
}

/** @param token identifies this insert, so that a repeat changes nothing */
export async function insertUploadBlocks(
  writer: ClickHouseWriter,
  blocks: readonly UploadBlock[],
  token: string,
): Promise<void> {
  const lines = blocks.map(
    ({ websiteId, partition, deduplicationId, offset, appendedAt }) =>
      `${websiteId}\t${partition}\t${deduplicationId}\t${offset}\t${(appendedAt / 1000).toFixed(3)}\n`,
  );
  await writer.insert({
    table: 'upload_blocks',
    columns: ['website_id', 'log_partition', 'deduplication_id', 'log_offset', 'appended_at'],
    rows: Buffer.from(lines.join('')),
    deduplicationToken: `upload_blocks/${token}`,
  });
}

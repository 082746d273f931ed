import { type ColumnBuilder, createColumnBuilder } from '../../../shared/requests/columns/column-builder.js';
import {
  type BlockIdentity,
  deduplicationIdOf,
  encodeColumnBlock,
} from '../../../shared/requests/columns/raw-block-codec.js';
import { MOST_BLOCK_REQUESTS, type RawBlock, type RawRequest } from '../../../shared/requests/raw-request.js';

export type BlockHead = Omit<RawBlock, 'requests'>;

/** A block that an upload's requests are added to. */
export interface OpenBlock {
  readonly source: string;
  readonly requests: number;
  /** Plain lines write their columns here as bytes. */
  readonly builder: ColumnBuilder;
  add(request: RawRequest): void;
  /** Returns the record for the log. The block can't be used afterwards. */
  encode(head: BlockHead): Buffer;
  /** Drops the block. */
  discard(): void;
}

/** Builders for reuse; each has some 500 KB. */
const free: ColumnBuilder[] = [];
const MOST_FREE = 16;

/** @param identity null: the block gets no deduplication id. */
export function openBlock(source: string, identity: BlockIdentity | null): OpenBlock {
  const builder = free.pop() ?? createColumnBuilder(MOST_BLOCK_REQUESTS);
  function discard(): void {
    builder.clear();
    if (free.length < MOST_FREE) free.push(builder);
  }
  return {
    source,
    builder,
    get requests() {
      return builder.rows;
    },
    add: (request) => builder.add(request),
    encode(head) {
      try {
        // The id is computed before times change: a repeat of the upload has other times of receipt.
        const id = identity && deduplicationIdOf(head, builder, identity);
        builder.noLaterThan(head.received_at);
        return encodeColumnBlock(head, builder, id);
      } finally {
        discard();
      }
    },
    discard,
  };
}

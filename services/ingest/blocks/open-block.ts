import { type ColumnBuilder, createColumnBuilder } from '../../../shared/requests/columns/column-builder.js';
import {
  encodeColumnBlock,
  encodeRawBlock,
  replaceRawBlock,
} from '../../../shared/requests/raw-block-codec.js';
import { MOST_BLOCK_REQUESTS, type RawBlock, type RawRequest } from '../../../shared/requests/raw-request.js';
import { noLaterThan } from '../records/accepted-times.js';

export type BlockHead = Omit<RawBlock, 'requests'>;

/** A block that an upload's requests are added to. */
export interface OpenBlock {
  readonly source: string;
  readonly requests: number;
  /** Where lines put their requests as bytes; null: this block takes whole requests alone. */
  readonly builder: ColumnBuilder | null;
  add(request: RawRequest): void;
  /** The record for the log. The block is of no use afterwards. */
  encode(head: BlockHead): Buffer;
  /** Gives the block up. */
  discard(): void;
}

/** Builders that wait for their next block; each holds some 500 KB. */
const free: ColumnBuilder[] = [];
const MOST_FREE = 16;

/** A block as columns. */
export function openColumnBlock(source: string): OpenBlock {
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
        builder.noLaterThan(head.received_at);
        return encodeColumnBlock(head, builder);
      } finally {
        discard();
      }
    },
    discard,
  };
}

/**
 * A deduplicated block, written request by request (raw-block-codec.ts).
 * @param uploadKey what names the upload each time that it is sent (admission/upload-key.ts)
 * @param index place of the block in the upload, from 0
 */
export function openDeduplicatedBlock(source: string, uploadKey: string, index: number): OpenBlock {
  const requests: RawRequest[] = [];
  return {
    source,
    builder: null,
    get requests() {
      return requests.length;
    },
    add: (request) => void requests.push(request),
    encode(head) {
      const value = encodeRawBlock({ ...head, requests }, { uploadKey, index });
      const accepted = noLaterThan(head.received_at, requests);
      // The deduplication id is made of what was sent: a repeat comes later, and has other times of receipt.
      return accepted === requests ? value : replaceRawBlock(value, { ...head, requests: accepted });
    },
    discard() {},
  };
}

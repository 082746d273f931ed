import { type BlockGatherer, createBlockGatherer } from '../../../shared/requests/columns/gather-block.js';
import { encodeGathered, encodeRawBlock, replaceRawBlock } from '../../../shared/requests/raw-block-codec.js';
import type { RawBlock, RawRequest } from '../../../shared/requests/raw-request.js';
import { notAfter } from '../records/accepted-times.js';

export type BlockHead = Omit<RawBlock, 'requests'>;

/** A block that an upload's requests are gathered in. */
export interface OpenBlock {
  readonly source: string;
  readonly requests: number;
  /** Where lines put their requests as bytes; null: this block takes requests alone. */
  readonly gatherer: BlockGatherer | null;
  add(request: RawRequest): void;
  /** The record for the log. The block is of no use afterwards. */
  encode(head: BlockHead): Buffer;
  /** Gives the block up. */
  discard(): void;
}

/** A block is what the enricher takes at a time: large enough for few appends, small enough to be held in memory. */
export const MOST_REQUESTS = 2_000;

/** Gatherers that wait for their next block; each holds some 500 KB. */
const free: BlockGatherer[] = [];
const MOST_FREE = 16;

/** A block as columns. */
export function openColumnBlock(source: string): OpenBlock {
  const gatherer = free.pop() ?? createBlockGatherer(MOST_REQUESTS);
  function discard(): void {
    gatherer.clear();
    if (free.length < MOST_FREE) free.push(gatherer);
  }
  return {
    source,
    gatherer,
    get requests() {
      return gatherer.rows;
    },
    add: (request) => gatherer.add(request),
    encode(head) {
      try {
        gatherer.noLaterThan(head.received_at);
        return encodeGathered(head, gatherer);
      } finally {
        discard();
      }
    },
    discard,
  };
}

/**
 * A block that can be told when it is sent again: request by request.
 * @param uploadKey what names the upload each time that it is sent (admission/upload-key.ts)
 * @param index place of the block in the upload, from 0
 */
export function openNamedBlock(source: string, uploadKey: string, index: number): OpenBlock {
  const requests: RawRequest[] = [];
  return {
    source,
    gatherer: null,
    get requests() {
      return requests.length;
    },
    add: (request) => void requests.push(request),
    encode(head) {
      const value = encodeRawBlock({ ...head, requests }, { uploadKey, index });
      const accepted = notAfter(head.received_at, requests);
      // The deduplication id is made of what was sent: a repeat comes later, and has other times of receipt.
      return accepted === requests ? value : replaceRawBlock(value, { ...head, requests: accepted });
    },
    discard() {},
  };
}

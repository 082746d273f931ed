import type { EventLog } from '../../../shared/event-log/event-log.js';
import {
  encodeRawBlock,
  readDeduplicationId,
  replaceRawBlock,
} from '../../../shared/requests/raw-block-codec.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { notAfter } from '../records/accepted-times.js';
import type { Semaphore } from './semaphore.js';

/** A block is what the enricher takes at a time: large enough for few appends, small enough to be held in memory. */
export const MOST_REQUESTS = 2_000;
const MOST_TEXT = 512 * 1024;
/** Blocks of full size that all uploads together may gather; with more uploads in flight each one's are smaller. */
const GATHERED_AT_ONCE = 12;
/**
 * A request's texts point into the chunk that they were cut from. Where most lines are rejected, a few requests
 * would hold much text: the block closes after this much input, however little it holds.
 */
const MOST_INPUT_BYTES = 2 * 1024 * 1024;
/** Of one upload, so that one sender does not take the whole semaphore. */
const MOST_IN_FLIGHT = 4;

/**
 * Ends of the partition key. One website's blocks take turns through them, so that a large one uses every partition;
 * far more than there are partitions, so that hashing spreads them evenly.
 */
const SPREAD = 256;

/**
 * Size of the blocks of an upload that may be told when it is sent again, as a share of the full size: its blocks must be
 * the same each time, whatever else is under way, and {@link GATHERED_AT_ONCE} blocks must hold for all uploads.
 */
const DEDUPLICATED_SHARE = 0.25;

export interface BlockAppenderOptions {
  readonly log: EventLog;
  /** Bounds the appends in flight over all uploads. */
  readonly semaphore: Semaphore;
  readonly websiteId: string;
  readonly uploadId: string;
  /** What names the upload each time that it is sent (admission/upload-key.ts); null: nothing does. */
  readonly uploadKey: string | null;
  /** Counts up over all uploads; chooses the key's end. */
  readonly nextBlock: () => number;
  readonly now: () => number;
  /** Uploads being worked on at the moment. */
  readonly uploadsInFlight: () => number;
}

export interface BlockAppender {
  add(request: RawRequest, source: string): void;
  /** Starts appends of the blocks that are full; waits where too many are under way (the back-pressure of an upload). */
  appendFull(inputBytes: number): Promise<void>;
  /** The input has come to a place that is the same each time that the upload is sent. */
  endStretch(): void;
  /** Appends the rest too. Resolves when the log has everything; rejects with the log's error where it has not. */
  finish(): Promise<void>;
  /** Waits for what is under way, whatever comes of it. */
  settle(): Promise<void>;
  /** Requests that the log has. */
  readonly accepted: number;
}

interface Block {
  /** Place of the block in the upload, from 0. */
  readonly index: number;
  readonly source: string;
  readonly requests: RawRequest[];
}

/** Gathers one upload's requests in blocks and appends them to `requests.raw`. */
export function createBlockAppender(options: BlockAppenderOptions): BlockAppender {
  const { uploadKey } = options;
  const inFlight = new Set<Promise<void>>();
  const full: Block[] = [];
  let open: Block | null = null;
  let text = 0;
  let input = 0;
  let share = uploadKey === null ? 1 : DEDUPLICATED_SHARE;
  let blocks = 0;
  let accepted = 0;
  let failure: { readonly error: unknown } | null = null;

  function close(): void {
    if (open !== null) full.push(open);
    open = null;
    text = 0;
    input = 0;
  }

  /** A repeated block has to come into the partition of the first: there its repetition is seen. */
  function endOfKey(value: Buffer): number {
    const id = readDeduplicationId(value);
    return (id === null ? options.nextBlock() : Number.parseInt(id.slice(0, 8), 16)) % SPREAD;
  }

  async function append(block: Block): Promise<void> {
    try {
      const value = encodeBlock(block, options);
      const key = `${options.websiteId}/${endOfKey(value)}`;
      await options.log.append('requests.raw', [{ key, value }]);
      accepted += block.requests.length;
    } catch (error) {
      failure ??= { error };
    } finally {
      options.semaphore.leave(options.websiteId);
    }
  }

  async function appendClosed(): Promise<void> {
    for (let block = full.shift(); block !== undefined; block = full.shift()) {
      if (inFlight.size >= MOST_IN_FLIGHT) await Promise.race(inFlight);
      if (failure !== null) throw failure.error;
      await options.semaphore.enter(options.websiteId);
      // Check again after waiting: the sender will resend everything.
      if (failure !== null) {
        options.semaphore.leave(options.websiteId);
        throw (failure as { readonly error: unknown }).error;
      }
      const appended = append(block).finally(() => inFlight.delete(appended));
      inFlight.add(appended);
    }
    if (failure !== null) throw failure.error;
  }

  async function settle(): Promise<void> {
    await Promise.all(inFlight);
  }

  return {
    add(request, source) {
      open ??= { index: blocks++, source, requests: [] };
      open.requests.push(request);
      text += textLength(request);
      if (open.requests.length >= MOST_REQUESTS * share || text >= MOST_TEXT * share) close();
    },
    async appendFull(inputBytes) {
      input += inputBytes;
      if (uploadKey === null) {
        share = Math.min(1, GATHERED_AT_ONCE / options.uploadsInFlight());
        if (input >= MOST_INPUT_BYTES * share) close();
      }
      if (full.length > 0 || failure !== null) await appendClosed();
    },
    endStretch() {
      if (uploadKey !== null) close();
    },
    async finish() {
      close();
      await appendClosed();
      await settle();
      if (failure !== null) throw failure.error;
    },
    settle,
    get accepted() {
      return accepted;
    },
  };
}

function encodeBlock(
  { source, index, requests }: Block,
  { now, websiteId, uploadId, uploadKey }: BlockAppenderOptions,
): Buffer {
  const receivedAt = now();
  const sent = { website_id: websiteId, source, upload_id: uploadId, received_at: receivedAt, requests };
  const value = encodeRawBlock(sent, uploadKey === null ? null : { uploadKey, index });
  const accepted = notAfter(receivedAt, requests);
  // The deduplication id is made of what was sent: a repeat comes later, and has other times of receipt.
  return accepted === requests ? value : replaceRawBlock(value, { ...sent, requests: accepted });
}

function textLength(request: RawRequest): number {
  return (
    request.target.length +
    request.user_agent.length +
    request.referrer.length +
    request.host.length +
    request.request_id.length +
    64
  );
}

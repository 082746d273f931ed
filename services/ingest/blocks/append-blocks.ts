import type { EventLog } from '../../../shared/event-log/event-log.js';
import { createLimiter, type Leave, type Limiter } from '../../../shared/pacing/limiter.js';
import { readDeduplicationId, weighRequests } from '../../../shared/requests/columns/raw-block-codec.js';
import type { Upload } from '../admission/upload.js';
import {
  createUploadBlocks,
  type FullBlock,
  type UploadBlocks,
  type UploadBlocksOptions,
} from './upload-blocks.js';

/** Blocks being appended at once, over all uploads; each has some 130 KB. More would only queue in the log. */
const MOST_APPENDS = 16;
/** Blocks that one upload appends at once, so that one sender can't use all of the limit. */
const MOST_IN_FLIGHT = 4;

/**
 * Number of partition keys of a website. Its blocks rotate through them, so that a large website uses every
 * partition. They are far more than the partitions, so that hashing spreads them evenly.
 */
const SPREAD = 256;

export interface BlockAppenderOptions extends UploadBlocksOptions {
  readonly log: EventLog;
  /** Bounds the appends in flight over all uploads; owners are websites. */
  readonly appends: Limiter;
  /** Counts up over all uploads; chooses the partition key. */
  readonly nextBlock: () => number;
}

export interface BlockAppender extends Pick<UploadBlocks, 'add' | 'endStretch' | 'room' | 'rowsAdded'> {
  /** Starts appends of the full blocks; waits while too many are running (the back-pressure of an upload). */
  appendFull(inputBytes: number): Promise<void>;
  /** Appends the rest too. Resolves when the log has everything; rejects with the log's error. */
  finish(): Promise<void>;
  /** Waits for the running appends, also for failing ones. It is the last call. */
  settle(): Promise<void>;
  /** Requests that the log has. */
  readonly accepted: number;
  /** Their rows in the quota: more than `accepted` if they have many different texts. */
  readonly weight: number;
}

/** Opens the appender of each upload. All appenders share one limit on their appends. */
export function createAppenders({
  log,
  now,
  uploadsInFlight,
}: Pick<BlockAppenderOptions, 'log' | 'now' | 'uploadsInFlight'>): (upload: Upload) => BlockAppender {
  // A website's first block is in the memory of its upload anyway.
  const appends = createLimiter({ most: MOST_APPENDS, isFirstFree: true });
  let blocks = 0;
  const nextBlock = () => blocks++;
  return ({ id, websiteId, uploadKey }) =>
    createBlockAppender({
      ...{ websiteId, uploadId: id, uploadKey },
      ...{ log, appends, nextBlock, now, uploadsInFlight },
    });
}

/** Puts one upload's requests into blocks and appends these to `requests.raw`. */
export function createBlockAppender(options: BlockAppenderOptions): BlockAppender {
  const blocks = createUploadBlocks(options);
  const inFlight = new Set<Promise<void>>();
  let accepted = 0;
  let weight = 0;
  let failure: { readonly error: unknown } | null = null;

  /** A repeated block must go to the partition of the first, where the repeat is detected. */
  function endOfKey(value: Buffer): number {
    const id = readDeduplicationId(value);
    return (id === null ? options.nextBlock() : Number.parseInt(id.slice(0, 8), 16)) % SPREAD;
  }

  async function append({ value, requests }: FullBlock, leave: Leave): Promise<void> {
    try {
      const key = `${options.websiteId}/${endOfKey(value)}`;
      await options.log.append('requests.raw', [{ key, value }]);
      accepted += requests;
      weight += weighRequests(value);
    } catch (error) {
      failure ??= { error };
    } finally {
      leave();
    }
  }

  async function appendClosed(): Promise<void> {
    for (let block = blocks.take(); block !== undefined; block = blocks.take()) {
      if (inFlight.size >= MOST_IN_FLIGHT) await Promise.race(inFlight);
      if (failure !== null) throw failure.error;
      const leave = await options.appends.enter(options.websiteId);
      // Check again after waiting: the sender will resend everything.
      if (failure !== null) {
        leave();
        throw (failure as { readonly error: unknown }).error;
      }
      const appended = append(block, leave).finally(() => inFlight.delete(appended));
      inFlight.add(appended);
    }
    if (failure !== null) throw failure.error;
  }

  async function settle(): Promise<void> {
    blocks.discard();
    await Promise.all(inFlight);
  }

  const { add, endStretch, room, rowsAdded } = blocks;
  return {
    ...{ add, endStretch, room, rowsAdded },
    async appendFull(inputBytes) {
      blocks.count(inputBytes);
      await appendClosed();
    },
    async finish() {
      blocks.close();
      await appendClosed();
      await settle();
      if (failure !== null) throw failure.error;
    },
    settle,
    get accepted() {
      return accepted;
    },
    get weight() {
      return weight;
    },
  };
}

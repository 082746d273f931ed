import { MOST_BLOCK_REQUESTS, type RawRequest } from '../../../shared/requests/raw-request.js';
import { ROW_TEXT_BYTES, type RowSink } from '../sources/util/source.js';
import { type OpenBlock, openBlock } from './open-block.js';

const MOST_TEXT = 512 * 1024;
/** Open blocks of full size that all uploads together may have; with more uploads in flight each one's are smaller. */
const OPEN_AT_ONCE = 12;
/**
 * Texts of a request point into the chunk that they were cut from. Where most lines are rejected, a few requests
 * would hold much text: the block closes after this much input, however little it holds.
 */
const MOST_INPUT_BYTES = 2 * 1024 * 1024;

/**
 * Size of deduplicated blocks as a share of the full size: the blocks of an upload must be
 * the same each time that it is sent, whatever else is under way, and {@link OPEN_AT_ONCE} blocks must hold for all uploads.
 */
const DEDUPLICATED_SHARE = 0.25;

export interface UploadBlocksOptions {
  readonly websiteId: string;
  readonly uploadId: string;
  /** What names the upload each time that it is sent (admission/upload-key.ts); null: nothing does. */
  readonly uploadKey: string | null;
  readonly now: () => number;
  /** Uploads being worked on at the moment. */
  readonly uploadsInFlight: () => number;
}

/** A block that is full, as a record of the log. */
export interface FullBlock {
  readonly requests: number;
  readonly value: Buffer;
}

/** Puts one upload's requests into blocks. */
export interface UploadBlocks extends RowSink {
  add(request: RawRequest, source: string): void;
  /** Counts input that has been read. */
  count(inputBytes: number): void;
  /** The input has come to a place that is the same each time that the upload is sent. */
  endStretch(): void;
  /** Ends the open block. */
  close(): void;
  /** The next full block, in their order. */
  take(): FullBlock | undefined;
  /** Gives up the open block. */
  discard(): void;
}

export function createUploadBlocks(options: UploadBlocksOptions): UploadBlocks {
  const { websiteId, uploadId, uploadKey } = options;
  const full: FullBlock[] = [];
  let open: OpenBlock | null = null;
  let text = 0;
  let input = 0;
  let share = uploadKey === null ? 1 : DEDUPLICATED_SHARE;
  let blocks = 0;

  function openFor(source: string): OpenBlock {
    open ??= openBlock(source, uploadKey === null ? null : { uploadKey, index: blocks++ });
    return open;
  }

  function close(): void {
    text = 0;
    input = 0;
    if (open === null || open.requests === 0) return;
    const block = open;
    const { source, requests } = block;
    const head = { website_id: websiteId, source, upload_id: uploadId, received_at: options.now() };
    // Also where encoding throws the block is of no use afterwards: another upload may have its builder then.
    open = null;
    full.push({ requests, value: block.encode(head) });
  }

  function closeFull(block: OpenBlock, rows: number, added: number): void {
    text += added + rows * ROW_TEXT_BYTES;
    if (block.requests >= MOST_BLOCK_REQUESTS * share || text >= MOST_TEXT * share) close();
  }

  return {
    add(request, source) {
      const block = openFor(source);
      block.add(request);
      closeFull(block, 1, textLength(request));
    },
    room(source) {
      const { builder, requests } = openFor(source);
      return {
        builder,
        rows: Math.max(1, Math.ceil(MOST_BLOCK_REQUESTS * share) - requests),
        text: Math.ceil(MOST_TEXT * share) - text,
      };
    },
    rowsAdded: (rows, added) => closeFull(open!, rows, added),
    count(inputBytes) {
      input += inputBytes;
      if (uploadKey !== null) return;
      share = Math.min(1, OPEN_AT_ONCE / options.uploadsInFlight());
      if (input >= MOST_INPUT_BYTES * share) close();
    },
    endStretch() {
      if (uploadKey !== null) close();
    },
    close,
    take: () => full.shift(),
    discard() {
      open?.discard();
      open = null;
    },
  };
}

function textLength(request: RawRequest): number {
  return (
    request.target.length +
    request.user_agent.length +
    request.referrer.length +
    request.host.length +
    request.request_id.length
  );
}

import { MOST_BLOCK_REQUESTS, type RawRequest } from '../../../shared/requests/raw-request.js';
import { ROW_TEXT_BYTES, type RowSink } from '../sources/util/source.js';
import { type OpenBlock, openBlock } from './open-block.js';

const MOST_TEXT = 512 * 1024;
/** Open blocks of full size that all uploads together may have. With more uploads in flight, blocks are smaller. */
const OPEN_AT_ONCE = 12;
/**
 * Texts of a request point into the chunk they were cut from. If most lines are rejected, a few requests would keep
 * much text in memory. So the block closes after this much input, even with few rows.
 */
const MOST_INPUT_BYTES = 2 * 1024 * 1024;

/**
 * Size of deduplicated blocks as a share of the full size. A named upload must have the same blocks in each repeat,
 * also when other uploads run. {@link OPEN_AT_ONCE} still bounds all uploads.
 */
const DEDUPLICATED_SHARE = 0.25;

export interface UploadBlocksOptions {
  readonly websiteId: string;
  readonly uploadId: string;
  /** Digest of the upload's name (admission/upload-key.ts); null if it has no name. */
  readonly uploadKey: string | null;
  readonly now: () => number;
  /** Running uploads. */
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
  /** Marks a place in the input that is the same in each repeat of the upload. */
  endStretch(): void;
  /** Ends the open block. */
  close(): void;
  /** The next full block, in order. */
  take(): FullBlock | undefined;
  /** Drops the open block. */
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
    // Even if encoding throws, the block can't be used afterwards: another upload may have its builder.
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

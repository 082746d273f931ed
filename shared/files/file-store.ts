import type { Readable } from 'node:stream';

/** Storage of files for customers: a folder, or a bucket with the S3 protocol. */
export interface FileStore {
  /**
   * Stores a stream of unknown length. The file appears under its key atomically and replaces an earlier one.
   * @param signal cancels the upload. @throws errors of the stream; FileStoreError
   */
  put(key: string, bytes: Readable, options: PutOptions): Promise<void>;
  /** null: no such file. @throws FileStoreError */
  stat(key: string): Promise<StoredFile | null>;
  /** @throws FileStoreError, also if there is no such file. */
  open(key: string): Promise<Readable>;
  /**
   * URL that downloads the file without a key until it expires. Anyone with the link can download the file. Does not
   * check that the file exists.
   */
  link(key: string, options: LinkOptions): Promise<string>;
  /**
   * Every file whose key has this prefix, unordered. Includes files that others put there; their keys may be invalid
   * (`isFileKey`).
   * @throws FileStoreError; the signal's reason when it fires
   */
  list(prefix: string, options?: GiveUpOptions): AsyncIterable<StoredFile>;
  /**
   * Accepts any key that `list` returns. A missing file is no error. @throws FileStoreError; the signal's reason when
   * it fires
   */
  remove(key: string, options?: GiveUpOptions): Promise<void>;
  /**
   * Removes uploads that began over a day ago and never ended, because their process died. Absent if the store does
   * this itself. @throws FileStoreError
   */
  readonly clearUnfinished?: () => Promise<void>;
}

export interface GiveUpOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface PutOptions extends GiveUpOptions {
  readonly contentType: string;
}

export interface LinkOptions {
  /** Milliseconds since the epoch. For a bucket at most {@link LONGEST_LINK_MS} ahead. */
  readonly expiresAt: number;
  /** File name for the download; ASCII, without quotes. */
  readonly name: string;
}

export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Limit of S3's signed URLs (AWS Signature Version 4). */
export const LONGEST_LINK_MS = 7 * 24 * 60 * 60 * 1000;

/** The store failed; a retry may succeed. */
export class FileStoreError extends Error {}

const PART = /^[A-Za-z0-9_=-][A-Za-z0-9_.=-]{0,199}$/;

/** Whether it is a valid key: segments of plain characters, separated by slashes. No segment begins with a dot. */
export function isFileKey(text: string): boolean {
  return text.length <= 900 && text.split('/').every((part) => PART.test(part));
}

/** @throws Error for an invalid key: a bug or an attack. */
export function checkFileKey(key: string): string {
  if (!isFileKey(key)) throw new Error('this is not a valid file key');
  return key;
}

/**
 * Removes every file with this prefix. A file that cannot be removed does not stop the removal of others.
 * @returns the number of files
 * @throws FileStoreError at the end, if a file remains; the signal's reason when it fires
 */
export async function removeAll(
  store: FileStore,
  prefix: string,
  options: GiveUpOptions = {},
): Promise<number> {
  let count = 0;
  let failed = 0;
  let cause: unknown;
  for await (const { key } of store.list(prefix, options)) {
    count++;
    await store.remove(key, options).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      failed++;
      cause = error;
    });
  }
  if (failed > 0) throw new FileStoreError(`${failed} of ${count} files could not be removed`, { cause });
  return count;
}

import type { Readable } from 'node:stream';

/** Where files for customers lie: a folder, or a bucket that speaks S3's protocol. */
export interface FileStore {
  /**
   * Stores a file of unknown length as its bytes come. It stands under its key whole or not at all, in place of one that was there.
   * @param signal gives it up. @throws what the bytes throw; FileStoreError
   */
  put(key: string, bytes: Readable, options: PutOptions): Promise<void>;
  /** null: there is none. @throws FileStoreError */
  stat(key: string): Promise<StoredFile | null>;
  /** @throws FileStoreError, also where there is none. */
  open(key: string): Promise<Readable>;
  /** An address from which whoever has it fetches the file, without a key, until it expires. It says nothing of whether there is one. */
  link(key: string, options: LinkOptions): Promise<string>;
  /**
   * Every file whose key begins so, in no order, also what others than the program have put there: such a key may be none of ours (`isFileKey`).
   * @throws FileStoreError; the signal's reason when it fires
   */
  list(prefix: string, options?: GiveUpOptions): AsyncIterable<StoredFile>;
  /** Takes whatever key `list` gives. One that is not there is no error. @throws FileStoreError; the signal's reason when it fires */
  remove(key: string, options?: GiveUpOptions): Promise<void>;
  /** Takes away what was begun a day ago and never ended: its process has died. Absent where the store sees to it. @throws FileStoreError */
  readonly clearUnfinished?: () => Promise<void>;
}

export interface GiveUpOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface PutOptions extends GiveUpOptions {
  readonly contentType: string;
}

export interface LinkOptions {
  /** Milliseconds since the epoch; of a bucket at most {@link LONGEST_LINK_MS} away. */
  readonly expiresAt: number;
  /** As the file may be saved; ASCII, without quotes. */
  readonly name: string;
}

export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Signed addresses of S3 hold no longer (AWS Signature Version 4). */
export const LONGEST_LINK_MS = 7 * 24 * 60 * 60 * 1000;

/** The store did not do it, now; repeated it may. */
export class FileStoreError extends Error {}

const PART = /^[A-Za-z0-9_=-][A-Za-z0-9_.=-]{0,199}$/;

/** Whether it is a key: parts of plain characters between slashes, none of which begins with a dot. */
export function isFileKey(text: string): boolean {
  return text.length <= 900 && text.split('/').every((part) => PART.test(part));
}

/** @throws Error where it is none: a mistake of the program, or somebody's attempt. */
export function checkFileKey(key: string): string {
  if (!isFileKey(key)) throw new Error('this is no key of a file');
  return key;
}

/** Removes every file whose key begins so. One that does not go holds no other up. @returns how many there were. @throws FileStoreError at the end, where one stays; the signal's reason when it fires */
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

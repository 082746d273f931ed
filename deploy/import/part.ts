import { createHash } from 'node:crypto';

/** A part of a file for one upload: plain text that ends at a line end or at the end of the file. */
export interface Part {
  readonly bytes: Buffer;
  /** Hash of the content up to the part's start, independent of the file name. */
  readonly before: string;
  /** Hash of the content up to the part's end. */
  readonly after: string;
}

/**
 * Hash of the content before the first byte.
 * @param generation distinguishes an import after days were removed from earlier imports of the same content
 *   (docs/import.md, "Taking days out again"); '' for a first import
 */
export function beginning(generation: string): string {
  return digestOf('loglane import 1', Buffer.from(generation));
}

/** @returns the hash of the content up to the end of a part. @param before hash up to its start. @param bytes the part */
export function chain(before: string, bytes: Buffer): string {
  return digestOf(before, createHash('sha256').update(bytes).digest());
}

/** Id of a website in the ledger, which never contains its key. */
export function websiteOf(ingestKey: string): string {
  return digestOf('loglane import: website', Buffer.from(ingestKey)).slice(0, 32);
}

/** Counts line ends; a last line without an end counts, too. */
export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? lines + 1 : lines;
}

function digestOf(text: string, more: Buffer = Buffer.alloc(0)): string {
  return createHash('sha256').update(text).update('\n').update(more).digest('hex');
}

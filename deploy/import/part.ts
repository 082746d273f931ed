import { createHash } from 'node:crypto';

/** A piece of a file, as it is sent in one upload: plain text that ends at a line's end, or at that of the file. */
export interface Part {
  readonly bytes: Buffer;
  /** Names the content up to the part's beginning, wherever it lies. */
  readonly before: string;
  /** Names the content up to the part's end. */
  readonly after: string;
}

/**
 * Names the content before the first byte.
 * @param generation sets what is imported apart from what was imported under another text, once that was taken out
 *   (docs/import.md, "Taking days out again"); '' for what is imported once
 */
export function beginning(generation: string): string {
  return digestOf('loglane import 1', Buffer.from(generation));
}

/** The name of a content is that of all before its last part, and that part. */
export function chain(before: string, bytes: Buffer): string {
  return digestOf(before, createHash('sha256').update(bytes).digest());
}

/** What the ledger knows a website by: never its key. */
export function websiteOf(ingestKey: string): string {
  return digestOf('loglane import: website', Buffer.from(ingestKey)).slice(0, 32);
}

/** Ends of line: a line that the file's end cuts off counts too. */
export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? lines + 1 : lines;
}

function digestOf(text: string, more: Buffer = Buffer.alloc(0)): string {
  return createHash('sha256').update(text).update('\n').update(more).digest('hex');
}

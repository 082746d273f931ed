/**
 * Parameters travel in the address, of which a server takes 1 MiB, and with the embedded engine within the statement, which takes
 * 256 KiB. Percent-encoding trebles the first and escapes double the second.
 */
export const MAX_PARAMETER_BYTES = 100_000;

/** Of a list of texts: a statement names it once for each table that it reads, and reads two. */
const MAX_LIST_BYTES = 40_000;

/** What is written around a text. */
export const TEXT_BYTES = 60;

/** Texts in the order given, in as many statements' worth as their bytes need; none of no text. One text alone is always taken. */
export function inBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = TEXT_BYTES + Buffer.byteLength(text);
    const last = batches.at(-1);
    if (last === undefined || bytes + size > MAX_LIST_BYTES) {
      batches.push([text]);
      bytes = size;
    } else {
      last.push(text);
      bytes += size;
    }
  }
  return batches;
}

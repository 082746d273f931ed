/**
 * Limits of the texts in one statement. They are sent as parameters: in the URL, for which a server accepts 1 MiB, and with the embedded
 * engine in the statement, which has a limit of 256 KiB. Percent-encoding triples the first, and escapes double the second.
 */
export const MAX_STATEMENT_BYTES = 100_000;

/** Maximum bytes of a list: a statement repeats it for each of up to three tables. */
const MAX_LIST_BYTES = MAX_STATEMENT_BYTES * 0.4;
/** Overhead of a text. */
const TEXT_BYTES = 4;

/** The texts in batches, in order; empty if there are no texts. A path has at most 8 KiB, so that each fits. */
export function textBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const size = Buffer.byteLength(text) + TEXT_BYTES;
    if (bytes + size > MAX_LIST_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(text);
    bytes += size;
  }
  return batches;
}

/** The rows of all batches, which are read one after the other. */
export async function readByTexts<Row>(
  texts: readonly string[],
  read: (batch: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const batch of textBatches(texts)) rows.push(...(await read(batch)));
  return rows;
}

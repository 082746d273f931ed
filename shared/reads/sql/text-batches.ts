/**
 * Texts of one statement. They travel as parameters: in the address, of which a server takes 1 MiB, and with the embedded engine within
 * the statement, which takes 256 KiB. Percent-encoding trebles the first and escapes double the second.
 */
export const MAX_STATEMENT_BYTES = 100_000;

/** Of a list: a statement names it once for each table that it reads, of which there are three. */
const MAX_LIST_BYTES = MAX_STATEMENT_BYTES * 0.4;
/** What is written around a text. */
const TEXT_BYTES = 4;

/** In their order; none where there is no text. A path has at most 8 KiB, so that each fits. */
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

/** The rows of all batches together, read one after the other. */
export async function readByTexts<Row>(
  texts: readonly string[],
  read: (batch: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const batch of textBatches(texts)) rows.push(...(await read(batch)));
  return rows;
}

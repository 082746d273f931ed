import { isTooMuchForOneRead } from '../../../shared/store/store-errors.js';
import type { CountedSpans } from './counts-reader.js';

/** A row of an answer about several spans. */
export interface InSpan {
  readonly website: string;
  /** Index of the span. */
  readonly span: number;
}

/**
 * Splits a read whose answer is too long or exceeds the engine's memory: first by websites, then by spans.
 * @param leaveOut called for one span of one website that is too large alone; absent: the error is thrown
 */
export async function readInPieces<Row extends InSpan>(
  spans: CountedSpans,
  read: (piece: CountedSpans) => Promise<Row[]>,
  leaveOut?: (span: CountedSpans) => void,
): Promise<Row[]> {
  try {
    return await read(spans);
  } catch (error) {
    const { websiteIds, from, to, lengthMs } = spans;
    const length = (to - from) / lengthMs;
    if (!isTooMuchForOneRead(error)) throw error;
    if (websiteIds.length === 1 && length <= 1) {
      // One website's requests must not stop the evaluation of all others.
      if (leaveOut === undefined) throw error;
      leaveOut(spans);
      return [];
    }
    if (websiteIds.length > 1) {
      const half = Math.ceil(websiteIds.length / 2);
      const first = await readInPieces({ ...spans, websiteIds: websiteIds.slice(0, half) }, read, leaveOut);
      return [
        ...first,
        ...(await readInPieces({ ...spans, websiteIds: websiteIds.slice(half) }, read, leaveOut)),
      ];
    }
    const half = Math.ceil(length / 2);
    const middle = from + half * lengthMs;
    const first = await readInPieces({ ...spans, to: middle }, read, leaveOut);
    const second = await readInPieces({ ...spans, from: middle }, read, leaveOut);
    return [...first, ...second.map((row) => ({ ...row, span: row.span + half }))];
  }
}

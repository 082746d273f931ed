import { z } from 'zod';
import { PublicError } from '../../../../shared/errors.js';
import { type RequestPosition, requestPosition } from '../../../../shared/reads/requests/request-rows-sql.js';
import type { Window } from '../../../../shared/reads/sql/scope.js';
import { decodeToken, digestOfQuestion, encodeToken } from '../../operation/bound-token.js';
import { MAX_WINDOW_MS } from '../../operation/resolve-scope.js';

/**
 * Position of the next page of a request search: after the last row shown, in the window of the first page. New requests and the
 * moving window therefore do not shift the pages. A digest binds the cursor to the question. The cursor grants no access: the
 * website still comes from the path.
 */
export interface Cursor {
  readonly after: RequestPosition;
  readonly window: Window;
}

/** No row is later: the last second of the store's hours (a DateTime of 32 bits). */
const LAST_INSTANT = 2 ** 32 * 1000;
/** Milliseconds since the epoch. The bound keeps values of forged cursors that the store can not represent out of queries. */
const instant = z.int().min(0).max(LAST_INSTANT);

const encoded = z.tuple([
  instant,
  requestPosition.shape.log_partition,
  requestPosition.shape.log_offset,
  requestPosition.shape.log_index,
  instant,
  instant,
  z.string(),
]);

/** @param question all parameters that select rows, with the website and without the page size. */
export function encodeCursor({ after, window }: Cursor, question: unknown): string {
  const parts: z.infer<typeof encoded> = [
    after.timestamp_ms,
    after.log_partition,
    after.log_offset,
    after.log_index,
    window.start,
    window.end,
    digestOfQuestion(question),
  ];
  return encodeToken(parts);
}

/** @throws PublicError invalid_request if the text is no cursor or belongs to another question. */
export function decodeCursor(text: string, question: unknown): Cursor {
  const parsed = encoded.safeParse(decodeToken(text));
  if (!parsed.success) throw notACursor();
  const [timestamp_ms, log_partition, log_offset, log_index, start, end, madeFor] = parsed.data;
  if (start >= end || end - start > MAX_WINDOW_MS) throw notACursor();
  if (madeFor !== digestOfQuestion(question)) {
    throw new PublicError(
      'invalid_request',
      'cursor: belongs to a search with other filters; repeat the filters of the previous answer',
    );
  }
  return { after: { timestamp_ms, log_partition, log_offset, log_index }, window: { start, end } };
}

function notACursor(): PublicError {
  return new PublicError('invalid_request', 'cursor: expected the next_cursor of an earlier answer');
}

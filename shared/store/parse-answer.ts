import type { z } from 'zod';
import { workInParts } from '../pacing/large-answers.js';
import { type CompactAnswer, rowsOf } from './compact-answer.js';

/** Characters of an answer that is parsed at once: some 2 ms. */
const LARGE = 128 * 1024;
/** Characters of a part, and the rest of its last row. */
const PART = 32 * 1024;

/** JSONCompact writes each row on a line of its own, and no text has a line break in JSON. */
const BEFORE_ROWS = '\t"data":\n\t[\n';
const AFTER_ROWS = '\n\t],\n';

export interface ParsedAnswer<Row> {
  /** Without its rows. */
  readonly answer: CompactAnswer;
  readonly rows: Row[];
}

/**
 * Reads the text of an answer in JSONCompact; a long one in parts, between which other calls go on.
 * @throws ZodError where a row has another shape; SyntaxError
 */
export async function parseAnswer<Row>(text: string, row: z.ZodType<Row>): Promise<ParsedAnswer<Row>> {
  const begin = text.length < LARGE ? -1 : text.indexOf(BEFORE_ROWS);
  const end = begin === -1 ? -1 : text.indexOf(AFTER_ROWS, begin + BEFORE_ROWS.length);
  if (end === -1) {
    const answer = JSON.parse(text) as CompactAnswer;
    return { answer, rows: rowsOf(answer).map((one) => row.parse(one)) };
  }
  const first = begin + BEFORE_ROWS.length;
  const answer = JSON.parse(text.slice(0, first) + text.slice(end)) as CompactAnswer;
  const rows: Row[] = [];
  await workInParts(async (giveTurn) => {
    for (let at = first; at < end; ) {
      const lineEnd = text.indexOf('\n', at + PART);
      const next = lineEnd === -1 || lineEnd > end ? end : lineEnd;
      const lines = text.slice(at, next);
      const data = JSON.parse(`[${lines.endsWith(',') ? lines.slice(0, -1) : lines}]`);
      for (const one of rowsOf({ ...answer, data })) rows.push(row.parse(one));
      at = next + 1;
      await giveTurn();
    }
  });
  return { answer, rows };
}

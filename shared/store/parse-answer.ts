import type { z } from 'zod';
import { workInParts } from '../pacing/large-answers.js';
import type { CompactAnswer } from './compact-answer.js';
import { createRowDecoder } from './decode-rows.js';

/** Most characters of an answer that is parsed at once: some 2 ms. */
const LARGE = 128 * 1024;
/** Characters of a part, without the rest of its last row. */
const PART = 32 * 1024;

/** JSONCompact writes each row on its own line, and JSON texts have no line breaks. */
const BEFORE_ROWS = '\t"data":\n\t[\n';
const AFTER_ROWS = '\n\t],\n';

export interface ParsedAnswer<Row> {
  /** The answer without its rows. */
  readonly answer: CompactAnswer;
  readonly rows: Row[];
}

/**
 * Parses an answer in JSONCompact. A long one is parsed in parts, with yields to the event loop.
 * @throws ZodError if a row has another shape; SyntaxError
 */
export async function parseAnswer<Row>(text: string, row: z.ZodType<Row>): Promise<ParsedAnswer<Row>> {
  const begin = text.length < LARGE ? -1 : text.indexOf(BEFORE_ROWS);
  const end = begin === -1 ? -1 : text.indexOf(AFTER_ROWS, begin + BEFORE_ROWS.length);
  if (end === -1) {
    const answer = JSON.parse(text) as CompactAnswer;
    return { answer, rows: createRowDecoder(answer.meta, row)(answer.data) };
  }
  const first = begin + BEFORE_ROWS.length;
  const answer = JSON.parse(text.slice(0, first) + text.slice(end)) as CompactAnswer;
  const decode = createRowDecoder(answer.meta, row);
  const rows: Row[] = [];
  await workInParts(async (giveTurn) => {
    for (let at = first; at < end; ) {
      const lineEnd = text.indexOf('\n', at + PART);
      const next = lineEnd === -1 || lineEnd > end ? end : lineEnd;
      const lines = text.slice(at, next);
      const data = JSON.parse(`[${lines.endsWith(',') ? lines.slice(0, -1) : lines}]`);
      for (const one of decode(data)) rows.push(one);
      at = next + 1;
      await giveTurn();
    }
  });
  return { answer, rows };
}

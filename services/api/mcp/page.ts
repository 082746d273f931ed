import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ToolRefusal } from './tool-refusal.js';
import { MOST_CURSOR_CHARACTERS } from './tools/arguments.js';

/** The part of a long answer that a call asks for. The cursor is opaque and works for the same call only. */

export interface Position {
  /** Rows before this part; with `cursor`, rows of the API's page before it. */
  readonly offset: number;
  /** The API's own cursor. */
  readonly cursor: string | null;
}

const START: Position = { offset: 0, cursor: null };

const form = z.strictObject({
  call: z.string(),
  offset: z.int().min(0).max(1_000_000),
  cursor: z.string().nullable(),
});

export interface Pages {
  readonly start: Position;
  /** null where the cursor would be too long. */
  readonly write: (position: Position) => string | null;
}

/** @throws ToolRefusal for a cursor of another call. */
export function pagesOf(tool: string, given: Readonly<Record<string, unknown>>): Pages {
  const { cursor, ...others } = given;
  const call = createHash('sha256')
    .update(JSON.stringify([tool, Object.entries(others).sort()]))
    .digest('base64url')
    .slice(0, 12);
  return {
    start: typeof cursor === 'string' ? read(cursor, call) : START,
    write(position) {
      const text = Buffer.from(JSON.stringify({ call, ...position })).toString('base64url');
      return text.length > MOST_CURSOR_CHARACTERS ? null : text;
    },
  };
}

function read(text: string, call: string): Position {
  const parsed = form.safeParse(parse(text));
  if (!parsed.success || parsed.data.call !== call)
    throw new ToolRefusal(
      'cursor: expected the next_cursor of a call with the same arguments. Leave it out for the first rows.',
    );
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

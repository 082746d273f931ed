import type { CallToolResult } from '@modelcontextprotocol/server';
import { visibleLine } from '../../../shared/visible-text.js';
import { countTokens } from './count-tokens.js';
import { fenced, type RandomBytes, WARNING } from './fence.js';
import { shortened } from './shortened.js';
import type { ToolRefusal } from './tool-refusal.js';

/** The form of every answer: notes first, because a client may cut the end. */

export type Cell = string | number | boolean | null;

export interface Answer {
  /** Our own sentences only, never a text of the API or of a log. */
  readonly notes: readonly string[];
  readonly window?: Readonly<Record<string, unknown>> | null;
  /** Figures about all of the data, of which the rows are a part. */
  readonly coverage?: Readonly<Record<string, Cell>>;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The cursor after so many of the rows; null: that was all. */
  readonly cursorAfter?: (rows: number) => string | null;
  readonly consoleUrl?: string | null;
}

/** At most 4,000 tokens, with room for errors of the estimate. */
export const MOST_ANSWER_TOKENS = 3_700;
/** The lines around the data: marks, cursor and link. */
export const FRAME_TOKENS = 400;
/** A path of a scanner may have 8 KB. */
const MOST_CELL_CHARACTERS = 300;
const MOST_COVERAGE = 40;
const MOST_COVERAGE_TOKENS = 1_500;
/** A link has the filters of the call, and percent signs make them nine times as long. */
const MOST_LINK_TOKENS = 300;

export function toResult(answer: Answer, randomBytes: RandomBytes): CallToolResult {
  const cleaned = answer.rows.map((row) => row.map(cleanCell));
  const coverage = cleanCoverage(answer.coverage ?? {});
  const window = cleanCoverage((answer.window ?? {}) as Record<string, Cell>);
  const around = [...answer.notes, csv(answer.columns), ...pairs(window), ...pairs(coverage)].join('\n');
  const rows = fitting(cleaned, MOST_ANSWER_TOKENS - FRAME_TOKENS - countTokens(around));
  const cut = rows.length < cleaned.length;
  const next_cursor = answer.cursorAfter?.(rows.length) ?? null;
  const link = answer.consoleUrl ?? null;
  const console_url = link === null || countTokens(link) > MOST_LINK_TOKENS ? null : link;
  const notes = [
    ...answer.notes,
    ...(link === console_url ? [] : ['The link to the console would be too long.']),
    ...(cut
      ? [`Only ${rows.length} rows fit.${next_cursor === null ? '' : ' The others follow with next_cursor.'}`]
      : []),
    ...(!cut && next_cursor !== null ? ['There are more rows: repeat the call with next_cursor.'] : []),
    ...(cleaned.length === 0 && answer.columns.length > 0 ? ['There are no rows.'] : []),
  ];
  const structuredContent = {
    warning: WARNING,
    notes,
    window: answer.window == null ? null : window,
    coverage,
    columns: [...answer.columns],
    rows,
    next_cursor,
    console_url,
  };
  const data = [
    ...(answer.window == null ? [] : [`window: ${pairs(window).join('; ')}`]),
    ...(Object.keys(coverage).length === 0 ? [] : [`coverage: ${pairs(coverage).join('; ')}`]),
    ...(answer.columns.length === 0 ? [] : [csv(answer.columns), ...rows.map(csv)]),
  ];
  const text = [
    ...notes.map((note) => `note: ${note}`),
    ...fenced(data, randomBytes),
    ...(next_cursor === null ? [] : [`next_cursor: ${next_cursor}`]),
    ...(console_url === null ? [] : [`console_url: ${console_url}`]),
  ];
  return { content: [{ type: 'text', text: text.join('\n') }], structuredContent };
}

export function toRefusal({ message, detail }: ToolRefusal, randomBytes: RandomBytes): CallToolResult {
  const reason = detail === null || detail === '' ? null : shortened(visibleLine(detail), 2_000);
  const lines = [message, ...(reason === null ? [] : fenced([reason], randomBytes))];
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: { notes: [message], detail: reason },
    isError: true,
  };
}

/** The first rows that fit. */
function fitting(rows: readonly Cell[][], mostTokens: number): Cell[][] {
  let left = mostTokens;
  const end = rows.findIndex((row) => {
    left -= countTokens(csv(row)) + 1;
    return left < 0;
  });
  // One row fits always: its cells are cut.
  return rows.slice(0, end === -1 ? rows.length : Math.max(end, 1));
}

const cleanCell = (cell: Cell): Cell =>
  typeof cell === 'string' ? shortened(visibleLine(cell), MOST_CELL_CHARACTERS) : cell;

function cleanCoverage(coverage: Readonly<Record<string, Cell>>): Record<string, Cell> {
  const entries = Object.entries(coverage)
    .slice(0, MOST_COVERAGE)
    .map(([name, value]): [string, Cell] => [shortened(visibleLine(name), 80), cleanCell(value)]);
  let left = MOST_COVERAGE_TOKENS;
  return Object.fromEntries(
    entries.filter(([name, value]) => {
      left -= countTokens(`${name}=${written(value)}; `);
      return left >= 0;
    }),
  );
}

const pairs = (values: Readonly<Record<string, Cell>>) =>
  Object.entries(values).map(([name, value]) => `${name}=${written(value)}`);

const csv = (cells: readonly Cell[]) => cells.map(written).join(',');

/** A cell of a line: quoted where it could be mistaken for two. Whole minutes are written short. */
function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = cell.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):00\.000Z$/, '$1Z');
  return /[",;=]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

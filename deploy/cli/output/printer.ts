import type { Output } from '../context.js';
import { cleanLines, safeJson } from './clean-text.js';
import { columnsOf, csvLine } from './csv.js';
import { cutNote, type Extent } from './cut-note.js';
import type { Style } from './formats.js';
import { chosen, fieldOf, flatten, isRow, listsIn, missingFields, type Row } from './rows.js';
import { renderPairs, renderTable } from './table.js';

/** Writes answers to standard output in the chosen form. Data alone goes there. */

/** Rows of each list of a table; --limit and --all change it. */
const ROWS_IN_TABLE = 20;
/** Names of fields in a note. */
const MOST_NAMES = 40;
/** Names of columns without room, in a note. */
const NAMES_OF_COLUMNS = 5;
const WHOLE: Extent = { total: null, hasMore: false, isReachable: false };

export interface Printer {
  readonly style: Style;
  /** A whole answer. @param lists its known lists, the main one first @param extent of the main list */
  answer(answer: unknown, lists?: readonly string[], extent?: Extent): Promise<void>;
  /** Notes on standard error that rows of a list are missing. */
  noteCut(list: string, shown: number, extent: Extent): void;
  /** Rows that arrive in portions: CSV and NDJSON. */
  rows(rows: readonly Row[]): Promise<void>;
  /** Text as it is, for help of all kinds. */
  text(text: string): Promise<void>;
}

export interface PrinterOptions {
  readonly stdout: Output;
  readonly style: Style;
  /** Most rows of a list; null: all that are there, or a screen of them in a table. */
  readonly limit: number | null;
  /** Whether tables show all rows. */
  readonly all: boolean;
  /** Prints a line on standard error. */
  readonly note: (text: string) => void;
}

export function createPrinter({ stdout, style, limit, all, note }: PrinterOptions): Printer {
  const { format, fields } = style;
  let columns: readonly string[] | null = null;
  let isChecked = false;

  const write = (text: string) => writeTo(stdout, text);

  /** The rows with the chosen fields. A wrong name is noted once. */
  function choose(given: readonly Row[]): Row[] {
    const [first] = given;
    if (fields !== null && first !== undefined && !isChecked) {
      isChecked = true;
      const missing = missingFields(given, fields);
      const known = Object.keys(flatten(first)).slice(0, MOST_NAMES).join(', ');
      if (missing.length > 0) note(`no row has ${missing.join(', ')}; fields: ${known}`);
    }
    return given.map((row) => chosen(row, fields));
  }

  async function rows(given: readonly Row[]): Promise<void> {
    if (given.length === 0) return;
    const shown = choose(given);
    if (format !== 'csv') return write(`${shown.map((row) => safeJson(row)).join('\n')}\n`);
    let text = '';
    if (columns === null) {
      columns = columnsOf(shown);
      text = csvLine(columns);
    }
    for (const row of shown) {
      const flat = flatten(row);
      text += csvLine(columns.map((column) => (Object.hasOwn(flat, column) ? flat[column] : null)));
    }
    return write(text);
  }

  async function answerAsTable(answer: Row, known: readonly string[], extent: Extent): Promise<void> {
    const lists = listsIn(answer, known);
    const listed = new Set(lists.map(([name]) => name));
    const pairs = Object.entries(
      flatten(Object.fromEntries(Object.entries(answer).filter(([name]) => !listed.has(name)))),
    ).filter(([name, value]) => !name.startsWith('_') && value !== null && fields === null);
    const blocks: string[] = pairs.length === 0 ? [] : [renderPairs(pairs).join('\n')];
    for (const [at, [name, list]] of (fields === null ? lists : lists.slice(0, 1)).entries())
      blocks.push(tableOf(name, list, lists.length > 1 || pairs.length > 0, at === 0 ? extent : WHOLE));
    await write(`${blocks.join('\n\n')}\n`);
  }

  function tableOf(name: string, list: readonly Row[], isTitled: boolean, extent: Extent): string {
    const most = limit ?? (all ? list.length : ROWS_IN_TABLE);
    const table = renderTable(choose(list.slice(0, most)), { ...style, columns: fields });
    const title = style.colour ? `\u001b[1m${name}\u001b[0m` : name;
    const body = list.length === 0 ? ['(none)'] : table.lines;
    if (table.left.length > 0)
      note(`${name}: no room for ${namesOf(table.left)}; choose with --fields, or use --json`);
    if (list.length > most)
      noteCut(name, most, {
        total: extent.total ?? (extent.hasMore ? null : list.length),
        hasMore: true,
        isReachable: true,
      });
    else noteCut(name, list.length, extent);
    return [...(isTitled ? [title] : []), ...body].join('\n');
  }

  function noteCut(list: string, shown: number, extent: Extent): void {
    const text = cutNote(list, shown, extent);
    if (text !== null) note(text);
  }

  return {
    style,
    rows,
    noteCut,
    text: (text) => write(stdout.isTTY ? cleanLines(text) : text),
    async answer(answer, known = [], extent = WHOLE) {
      if (!isRow(answer)) return write(`${safeJson(answer)}\n`);
      const lists = listsIn(answer, known);
      const [main] = lists;
      if (format === 'csv' || format === 'ndjson')
        return rows(main === undefined ? [answer] : main[1].slice(0, limit ?? main[1].length));
      if (format === 'table' && (fields === null || main !== undefined))
        return answerAsTable(answer, known, extent);
      if (main !== undefined) noteCut(main[0], Math.min(limit ?? main[1].length, main[1].length), extent);
      if (fields !== null) {
        const selected =
          main === undefined ? chosen(answer, fields) : choose(main[1].slice(0, limit ?? main[1].length));
        return write(`${safeJson(selected, 2)}\n`);
      }
      return write(`${safeJson(cut(answer, main?.[0], limit), 2)}\n`);
    },
  };
}

function namesOf(columns: readonly string[]): string {
  const more = columns.length > NAMES_OF_COLUMNS ? '…' : '';
  const names = columns.slice(0, NAMES_OF_COLUMNS).join(', ');
  return `${columns.length} column${columns.length === 1 ? '' : 's'} (${names}${more})`;
}

/** The answer with at most so many rows in its main list. */
function cut(answer: Row, list: string | undefined, limit: number | null): Row {
  if (list === undefined || limit === null) return answer;
  return { ...answer, [list]: (fieldOf(answer, list) as readonly unknown[]).slice(0, limit) };
}

/** Resolves when the stream takes more: a slow reader must not fill the memory. */
export async function writeTo(stream: Output, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
}

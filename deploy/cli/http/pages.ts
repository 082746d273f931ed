import { CliError, exitCodes } from '../cli-error.js';
import type { Extent } from '../output/cut-note.js';
import { isRow, listsIn, type Row } from '../output/rows.js';
import type { CliOperation, Parameter } from '../table/operation-table.js';
import type { ApiClient, Call } from './api-client.js';

/** Reads an operation to its end: answers that are still being computed, pages, and cursors. */

export interface PagesOptions {
  readonly api: ApiClient;
  readonly operation: CliOperation;
  readonly call: Call & { readonly query: URLSearchParams };
  /** Whether later pages are read. */
  readonly all: boolean;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called while the instance still computes an answer. */
  readonly onWait: (milliseconds: number) => void;
}

/** An answer, and its main list. */
export interface Page extends Extent {
  readonly answer: unknown;
  readonly list: string | null;
  readonly rows: readonly Row[];
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** How long an answer may be computed. */
const PATIENCE_MS = 600_000;

export async function* readPages(options: PagesOptions): AsyncGenerator<Page> {
  const { operation, call, all } = options;
  const query = new URLSearchParams(call.query);
  if (all) askForLargestPages(operation, query);
  for (;;) {
    const answer = await readWhole(options, query);
    const page = pageOf(answer, operation, query);
    yield page;
    if (!all || !isRow(answer) || !turn(operation, answer, page, query)) return;
  }
}

/** Repeats the call until the instance has computed the answer. */
async function readWhole({ api, call, sleep, now, signal, onWait }: PagesOptions, query: URLSearchParams) {
  const started = now();
  for (let attempt = 0; ; attempt++) {
    const { json, headers } = await api.call({ ...call, query });
    if (!isRow(json) || json.data_buffering !== true) return json;
    const waited = now() - started;
    if (waited > PATIENCE_MS || signal.aborted)
      throw new CliError(`the answer is not ready after ${Math.round(waited / 1_000)} s`, exitCodes.server, {
        retryable: true,
      });
    onWait(waited);
    const named = Number(headers.get('retry-after') ?? Number.NaN) * 1_000;
    const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 5));
    await sleep(named > 0 ? Math.min(named, LONGEST_WAIT_MS) : grown);
  }
}

function pageOf(answer: unknown, operation: CliOperation, query: URLSearchParams): Page {
  if (!isRow(answer))
    return { answer, list: null, rows: [], total: null, hasMore: false, isReachable: false };
  const [main] = listsIn(answer, operation.lists);
  const rows = main?.[1] ?? [];
  return { answer, list: main?.[0] ?? null, rows, ...extentOf(operation, answer, rows, query) };
}

function extentOf(
  operation: CliOperation,
  answer: Row,
  rows: readonly Row[],
  query: URLSearchParams,
): Extent {
  const hasCursor = queryParameter(operation, 'cursor') !== undefined;
  const names = PAGED.find(({ page }) => queryParameter(operation, page) !== undefined);
  const total = names === undefined ? null : numberOf(answer[names.total]);
  if (turn(operation, answer, { rows }, new URLSearchParams(query)))
    return { total, hasMore: true, isReachable: true };
  const limit = queryParameter(operation, 'limit');
  if (hasCursor || total !== null || limit === undefined)
    return { total, hasMore: false, isReachable: false };
  // A list without pages and total: only its length shows that it was cut.
  const most = Number(query.get('limit') ?? limit.default ?? Number.POSITIVE_INFINITY);
  return { total, hasMore: rows.length >= most, isReachable: most < (limit.maximum ?? most) };
}

const queryParameter = ({ parameters }: CliOperation, name: string): Parameter | undefined =>
  parameters.find((parameter) => parameter.in === 'query' && parameter.name === name);

/** Names of the parameters of pages; one operation has pages of directories. */
const PAGED = [
  { page: 'page', size: 'page_size', pages: 'total_pages', total: 'total' },
  { page: 'dir_page', size: 'dir_page_size', pages: 'dir_total_pages', total: 'total_directories' },
] as const;

/** Fewest calls: they are limited. A size that the user chose is kept. */
function askForLargestPages(operation: CliOperation, query: URLSearchParams): void {
  for (const name of ['limit', ...PAGED.map(({ size }) => size)]) {
    const maximum = queryParameter(operation, name)?.maximum;
    if (maximum !== undefined && !query.has(name)) query.set(name, String(maximum));
  }
  // Alerts have pages only with a window, and a limit only without one.
  if (
    queryParameter(operation, 'selection_version') !== undefined &&
    ['hours', 'start', 'end'].some((name) => query.has(name))
  )
    query.delete('limit');
  else if (queryParameter(operation, 'selection_version') !== undefined) query.delete('page_size');
}

/** Changes the query to that of the next page. @returns false after the last one */
function turn(
  operation: CliOperation,
  answer: Row,
  { rows }: Pick<Page, 'rows'>,
  query: URLSearchParams,
): boolean {
  if (queryParameter(operation, 'cursor') !== undefined) {
    if (typeof answer.next_cursor !== 'string' || answer.next_cursor === query.get('cursor')) return false;
    query.set('cursor', answer.next_cursor);
    query.delete('page');
    return true;
  }
  const names = PAGED.find(({ page }) => queryParameter(operation, page) !== undefined);
  if (names === undefined || rows.length === 0) return false;
  const page = numberOf(answer[names.page]) ?? Number(query.get(names.page) ?? 1);
  const size = numberOf(answer[names.size]) ?? Number(query.get(names.size) ?? rows.length);
  const total = numberOf(answer[names.total]);
  const pages = numberOf(answer[names.pages]) ?? (total === null ? null : Math.ceil(total / size));
  if (pages === null || page >= pages) return false;
  query.set(names.page, String(page + 1));
  if (typeof answer.selection_version === 'string') query.set('selection_version', answer.selection_version);
  return true;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

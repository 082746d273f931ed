import type { Cli } from '../cli.js';
import { failure } from '../cli-error.js';
import type { Call } from '../http/api-client.js';
import { type Page, readPages } from '../http/pages.js';
import { cleanLines } from '../output/clean-text.js';
import { writeTo } from '../output/printer.js';
import { createProgressBar, type ProgressBar } from '../output/progress-bar.js';
import { isRow, type Row } from '../output/rows.js';
import type { CliOperation } from '../table/operation-table.js';

/** Calls an operation and prints its answer, page by page where rows are wanted. */

/** Beyond so many rows, one JSON document is too large for memory. */
const MOST_ROWS_IN_MEMORY = 500_000;

export async function showReply(
  cli: Cli,
  operation: CliOperation,
  call: Call & { readonly query: URLSearchParams },
): Promise<void> {
  const api = await cli.api();
  if (operation.method !== 'GET' || operation.answer === null || isFile(operation, call.query)) {
    const { json, response } = await api.call({ ...call, mayBeElsewhere: isFile(operation, call.query) });
    if (json !== undefined) return cli.printer().answer(json, operation.lists);
    return printFile(cli, response);
  }
  const { all = false, limit = Number.POSITIVE_INFINITY, quiet } = cli.options();
  const { stderr, sleep, now, signal } = cli.context;
  const { format } = cli.printer().style;
  // Rows that are printed as they come show the progress themselves; on one terminal the bar would be between them.
  const printsOnTerminal = (format === 'csv' || format === 'ndjson') && cli.context.stdout.isTTY === true;
  const isQuiet = quiet === true || printsOnTerminal;
  const bar = createProgressBar({ name: operation.id, output: stderr, quiet: isQuiet });
  const pages = readPages({
    ...{ api, operation, call, sleep, now, signal },
    all: all || Number.isFinite(limit),
    onWait: (waited) =>
      bar.say(`the instance is still computing the answer (${Math.round(waited / 1_000)} s)`),
  });
  await printPages(cli, operation, withBar(bounded(pages, limit), bar));
}

/** The download answers with the file itself unless a link is asked for. */
function isFile({ id }: CliOperation, query: URLSearchParams): boolean {
  return id === 'downloadExport' && query.get('redirect') !== 'false';
}

/** Shows the progress until the last page; the table is printed after it. */
async function* withBar(pages: AsyncIterable<Page>, bar: ProgressBar): AsyncGenerator<Page> {
  let count = 0;
  try {
    for await (const page of pages) {
      count += page.rows.length;
      bar.show(count, page.total);
      yield page;
    }
  } finally {
    bar.stop();
  }
}

/** Stops after `limit` rows. */
async function* bounded(pages: AsyncIterable<Page>, limit: number): AsyncGenerator<Page> {
  let count = 0;
  for await (const page of pages) {
    const rows = page.rows.slice(0, limit - count);
    count += rows.length;
    const isCut = rows.length < page.rows.length;
    yield { ...page, rows, ...(isCut && { hasMore: true, isReachable: true }) };
    if (page.list === null || count >= limit) return;
  }
}

async function printPages(cli: Cli, operation: CliOperation, pages: AsyncIterable<Page>): Promise<void> {
  const printer = cli.printer();
  const { format } = printer.style;
  const isStream = format === 'csv' || format === 'ndjson';
  let first: Page | null = null;
  let last: Page | null = null;
  let count = 0;
  const rows: Row[] = [];
  for await (const page of pages) {
    first ??= page;
    last = page;
    count += page.rows.length;
    if (page.list !== null && isStream) {
      await printer.rows(page.rows);
      continue;
    }
    if (count > MOST_ROWS_IN_MEMORY)
      throw failure(
        `more than ${MOST_ROWS_IN_MEMORY} rows: use --ndjson or --csv, which print them as they come`,
      );
    rows.push(...page.rows);
  }
  if (first === null || last === null) return;
  const { answer, list } = first;
  if (list === null || !isRow(answer)) return printer.answer(answer, operation.lists);
  if (isStream) return printer.noteCut(list, count, last);
  const lists = [list, ...operation.lists.filter((name) => name !== list)];
  await printer.answer({ ...answer, [list]: rows }, lists, last);
}

async function printFile({ context: { stdout } }: Cli, { body }: Response): Promise<void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  for await (const chunk of body)
    await writeTo(stdout, stdout.isTTY ? cleanLines(decoder.decode(chunk, { stream: true })) : chunk);
}

import { visibleLine } from '../../../shared/visible-text.js';
import type { AddCommand, Cli } from '../cli.js';
import { CliError, exitCodes } from '../cli-error.js';
import { createPrinter, writeTo } from '../output/printer.js';
import { isRow, type Row } from '../output/rows.js';
import { wholeCount } from '../table/flags.js';
import { createFollower } from '../tail/follow-requests.js';
import { pauseAfter } from '../tail/pace.js';
import { addRequestFilters, filterQuery, isWanted, type RequestFilters } from '../tail/request-filters.js';

/** `loglane tail`: requests as they are stored. It polls the API, which has no stream. */

const ROWS_PER_PAGE = 500;
const FIRST_ROWS = 10;
const WAIT_AFTER_FAILURE_MS = 5_000;
const LONGEST_WAIT_MS = 300_000;

export const addTail: AddCommand = (program, cli) => {
  const command = program
    .command('tail')
    .description(
      'prints requests of the last hour as they are stored; one JSON object a line where standard output is no terminal',
    )
    .option('-n, --lines <number>', 'stored requests to print first', wholeCount, FIRST_ROWS);
  addRequestFilters(command).action(async (filters: RequestFilters & { lines: number }) =>
    tail(cli, filters),
  );
};

async function tail(cli: Cli, filters: RequestFilters & { lines: number }): Promise<void> {
  const { context } = cli;
  const { limit = Number.POSITIVE_INFINITY } = cli.options();
  const path = `/public/v1/websites/${encodeURIComponent(await cli.website())}/requests`;
  const api = await cli.api();
  let pause = 0;
  const poll = createFollower(async (cursor) => {
    const query = filterQuery(filters);
    query.set('hours', '1');
    query.set('limit', String(ROWS_PER_PAGE));
    if (cursor !== null) query.set('cursor', cursor);
    const { json, headers } = await api.call({ method: 'GET', path, query });
    pause = pauseAfter(headers, context.now());
    const { requests, next_cursor } = isRow(json) ? json : {};
    return {
      rows: Array.isArray(requests) ? requests.filter(isRow) : [],
      next: typeof next_cursor === 'string' ? next_cursor : null,
    };
  });
  const print = linePrinter(cli);
  let [printed, isFirst, saidPause] = [0, true, 0];
  while (!context.signal.aborted && printed < limit) {
    const found = await poll().catch((error: unknown) => retryLater(cli, error));
    if (found === null) {
      await context.sleep(pause > 0 ? Math.max(pause, WAIT_AFTER_FAILURE_MS) : WAIT_AFTER_FAILURE_MS);
      continue;
    }
    if (found.skipped) cli.note('lines were skipped: more requests came than can be read; a filter helps');
    const wanted = found.fresh.filter((row) => isWanted(row, filters));
    const rows = (isFirst ? lastOf(wanted, filters.lines) : wanted).slice(0, limit - printed);
    isFirst = false;
    printed += rows.length;
    await print(rows);
    if (pause >= 2_000 && pause > 1.5 * saidPause) {
      saidPause = pause;
      cli.note(`polling every ${Math.round(pause / 1_000)} s: few calls of this hour are left`);
    }
    if (printed < limit) await context.sleep(pause);
  }
}

/** @returns null for a failure that passes. @throws any other one */
async function retryLater({ note, context }: Cli, error: unknown): Promise<null> {
  if (context.signal.aborted) return null;
  if (!(error instanceof CliError) || !error.retryable) throw error;
  note(error.message);
  const named = error.fields.retry_after;
  if (error.exitCode === exitCodes.limit && typeof named === 'number')
    await context.sleep(Math.min(LONGEST_WAIT_MS, named * 1_000));
  return null;
}

/** One line for each request: for people on a terminal, as data elsewhere. */
function linePrinter(cli: Cli): (rows: readonly Row[]) => Promise<void> {
  const { context, note } = cli;
  const style = cli.style();
  const format = style.format === 'json' ? 'ndjson' : style.format;
  if (format !== 'table' || style.fields !== null) {
    const asRows = { ...style, format: format === 'table' ? ('ndjson' as const) : format };
    const { rows } = createPrinter({ stdout: context.stdout, style: asRows, limit: null, all: true, note });
    return rows;
  }
  return async (rows) => {
    for (const row of rows) await writeTo(context.stdout, `${lineOf(row, style.colour)}\n`);
  };
}

const RED = 31;
const YELLOW = 33;

function lineOf(row: Row, colour: boolean): string {
  const status = Number(row.status);
  const code = status >= 500 ? RED : status >= 400 ? YELLOW : null;
  const shown = String(row.status).padStart(3);
  const verdict = row.bot_verified === true ? ' ✓' : row.bot_verified === false ? ' ✗' : '';
  const who = row.bot_name === '' || row.bot_name === undefined ? '' : `${row.bot_name}${verdict}`;
  return [
    visibleLine(String(row.timestamp)).slice(11, 19),
    colour && code !== null ? `\u001b[${code}m${visibleLine(shown)}\u001b[0m` : visibleLine(shown),
    visibleLine(String(row.method)),
    visibleLine(`${row.path}${row.query === '' || row.query === undefined ? '' : `?${row.query}`}`),
    visibleLine(
      [row.client_ip, row.country, who].filter((text) => text !== '' && text !== undefined).join(' '),
    ),
  ].join('  ');
}

function lastOf(rows: readonly Row[], count: number): readonly Row[] {
  return count === 0 ? [] : rows.slice(-count);
}

import type { z } from 'zod';
import type { Answer, Cell } from '../answer.js';
import { answerView, notesOf, prepare, urlOf } from './answer-view.js';
import type { inputs } from './catalogue.js';
import { cellOf, fieldOf, listAt, scalarsOf } from './read-fields.js';
import { operationOf, type ToolContext } from './tool.js';

type Args = z.output<(typeof inputs)['explain_url']>;

/** Parts of the answer, in the order of interest, with the lists whose first entries are shown. */
const sections = [
  ['logs', ['status_codes', 'top_bots', 'top_referrers', 'top_countries']],
  ['search_bots', []],
  ['sitemap', []],
  ['index_status', ['top_queries']],
  ['crawl', []],
  ['importance', []],
  ['analytics', []],
] as const;

/** One page whole; a part of a path, or a path without a single request, is searched instead. */
export async function explainUrl(args: Args, context: ToolContext): Promise<Answer> {
  const isExact = /^(?:\/|https?:\/\/)/.test(args.path);
  if (!isExact) return search(args, context, []);
  const path = pathOf(args.path);
  const prepared = await prepare('getUrl', args, context);
  const { json } = await context.call(operationOf(context, 'getUrl'), { ...prepared.parameters, path });
  if (isUnknown(json))
    return search(args, context, [
      'No request, crawl or sitemap has this exact path. The rows are paths that contain it.',
    ]);
  const rows = sections.flatMap(([section, lists]) => rowsOf(section, json[section], lists));
  return {
    notes: [...prepared.notes, ...notesOf(json)],
    window: json.window as Answer['window'] & object,
    coverage: { path: cellOf(json.path), data_since: cellOf(json.data_since) },
    columns: ['section', 'field', 'value'],
    rows,
    consoleUrl: urlOf({ screen: 'pages', rest: { path } }, args, prepared, context),
  };
}

function pathOf(given: string): string {
  if (given.startsWith('/')) return given;
  return URL.canParse(given) ? new URL(given).pathname : given;
}

function isUnknown(json: Readonly<Record<string, unknown>>): boolean {
  return (
    json.data_buffering !== true &&
    Number(fieldOf(json, 'logs.requests') ?? 0) === 0 &&
    fieldOf(json, 'crawl.in_crawl') !== true &&
    fieldOf(json, 'sitemap.in_sitemap') !== true
  );
}

function rowsOf(section: string, value: unknown, lists: readonly string[]): Cell[][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value))
    return value.map((entry, index): Cell[] => [section, String(index + 1), cellOf(entry)]);
  const scalars = Object.entries(scalarsOf(value, { depth: 1 })).map(([field, cell]): Cell[] => [
    section,
    field,
    cell,
  ]);
  return [...scalars, ...lists.map((list): Cell[] => [section, list, cellOf(listAt(value, list))])];
}

function search(args: Args, context: ToolContext, notes: readonly string[]): Promise<Answer> {
  const view = {
    operation: 'searchUrls',
    list: 'results',
    columns: [
      'path',
      'source',
      'in_sitemap',
      'crawls',
      'last_crawled',
      'last_bot',
      'crawl_status_code',
      'indexable',
    ],
    mostRows: 50,
    parameters: { q: args.path },
    notes: [...notes, 'Call again with one exact path for everything about it.'],
    console: { screen: 'pages' },
  };
  return answerView(view, { ...args, period: '7d' }, context);
}

import { PublicError } from '../../../../shared/errors.js';
import { quote } from '../util/cut-text.js';
import type { LineSource, Parsed, UploadFacts, UploadParser } from '../util/source.js';
import { splitColumns } from '../util/split-columns.js';
import { type Columns, columnsOf } from './w3c-columns.js';
import { readRow } from './w3c-row.js';

/**
 * W3C-extended logs: IIS, CloudFront's standard files, Imperva, NetScaler and other logs with `#Fields:`. The header
 * names the columns, and may occur again with others: docs/sources/w3c.md.
 */
export const w3c: LineSource = {
  name: 'w3c',
  shape: 'lines',
  detect: (line) =>
    line.startsWith('#Fields:') ||
    line.startsWith('#Version:') ||
    line.startsWith('#Software:') ||
    line.startsWith('#Date:'),
  open: (upload) => createColumnParser(columnsSaid(upload)),
};

/**
 * The columns that the URL names, in order; null if it names none.
 * @param writer see `columnsOf`
 * @throws PublicError (400)
 */
export function columnsSaid({ query }: UploadFacts, writer?: 'cloudfront'): Columns | null {
  const said = query.get('columns');
  if (said === null || said === '') return null;
  const columns = columnsOf(said.split(','), writer);
  if (columns.missing === '') return columns;
  throw new PublicError('invalid_request', `columns: no column has ${columns.missing}`);
}

const noColumns = {
  reject:
    'no #Fields line came before this one; send the file’s header too, or name the columns in the URL: ?source=w3c&columns=…',
};
const directive = { noRecord: 'a line of the header' };

/** A parser of lines in columns, which a header may name. @param said the columns until a header names others */
export function createColumnParser(said: Columns | null): UploadParser<string> {
  let columns = said;
  let day = '';
  let namesHaveTabs = false;

  function readDirective(line: string): Parsed {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).trim();
    if (line.startsWith('#Fields')) {
      columns = columnsOf(value.split(/[\t ]+/));
      namesHaveTabs = value.includes('\t');
    } else if (line.startsWith('#Date')) day = value.slice(0, 10);
    return directive;
  }

  return {
    parse(line) {
      if (line.charCodeAt(0) === 35 /* # */) return readDirective(line);
      if (columns === null) return noColumns;
      if (columns.missing !== '') return { reject: `#Fields names no column with ${columns.missing}` };
      const row = namesHaveTabs ? line : withoutTabsOfTexts(line);
      const values = splitColumns(row, columns);
      if (values.length <= columns.last) {
        return {
          reject: `${values.length} columns, fewer than the header names (line cut off?): ${quote(line)}`,
        };
      }
      if (columns.kind !== 'cloudfront' && hasMore(row, values, columns.count)) {
        return { reject: `more columns than the header names (${columns.count}): ${quote(line)}` };
      }
      return readRow(values, columns, day);
    },
  };
}

/**
 * The first separator of a line follows text of the server. If it is a space, a tab belongs to a client's text.
 * Headers do not show the separator: CloudFront's has spaces, and its lines have tabs.
 */
function withoutTabsOfTexts(line: string): string {
  const tab = line.indexOf('\t');
  const space = tab === -1 ? -1 : line.indexOf(' ');
  return space !== -1 && space < tab ? line.replaceAll('\t', '%09') : line;
}

/**
 * Whether a line has so many columns that a client's text may have added some and shifted the later ones. CloudFront
 * encodes separators.
 */
function hasMore(line: string, values: readonly string[], most: number): boolean {
  // A line without quotes is read only as far as its counted values.
  if (line.includes('"')) return values.length > most;
  const trimmed = line.trimEnd();
  const isTabbed = trimmed.includes('\t');
  let columns = 1;
  for (let at = 0; at < trimmed.length; at++) {
    const code = trimmed.charCodeAt(at);
    if (isTabbed ? code === 9 : code === 32 && trimmed.charCodeAt(at + 1) !== 32) columns += 1;
  }
  return columns > most;
}

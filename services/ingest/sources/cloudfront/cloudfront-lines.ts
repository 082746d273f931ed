import { PublicError } from '../../../../shared/errors.js';
import type { LineSource } from '../util/source.js';
import { columnsSaid, createColumnParser } from '../w3c/w3c.js';
import { columnsOf } from '../w3c/w3c-columns.js';
import { REAL_TIME_COLUMNS, STANDARD_COLUMNS } from './cloudfront-names.js';

/** Columns that every version of CloudFront's standard log has. */
const FEWEST_STANDARD = 24;

/** Lines of CloudFront's standard log without their header, as functions and shippers forward them. */
export const cloudfrontStandard: LineSource = {
  name: 'cloudfront-standard',
  shape: 'lines',
  detect: (line) =>
    line.charCodeAt(4) === 45 /* - */ &&
    line.charCodeAt(10) === 9 /* tab */ &&
    line.charCodeAt(13) === 58 /* : */ &&
    line.split('\t', FEWEST_STANDARD).length === FEWEST_STANDARD,
  open: (upload) => createColumnParser(columnsSaid(upload, 'cloudfront') ?? columnsOf(STANDARD_COLUMNS)),
};

/** CloudFront's real-time log: its lines name no columns, and a configuration chooses them. */
export const cloudfrontRealTime: LineSource = {
  name: 'cloudfront-realtime',
  shape: 'lines',
  detect: (line) =>
    line.charCodeAt(10) === 46 /* . */ &&
    line.charCodeAt(14) === 9 &&
    /^\d{10}\.\d{3}\t/.test(line.slice(0, 15)),
  open(upload) {
    const said = columnsSaid(upload, 'cloudfront');
    if (said !== null) return createColumnParser(said);
    if (upload.query.get('columns') === '') throw new PublicError('invalid_request', 'columns: empty');
    const parser = createColumnParser(columnsOf(REAL_TIME_COLUMNS));
    return {
      // A line does not show which columns were omitted.
      parse: (line) => (hasAllColumns(line) ? parser.parse(line) : notAll),
    };
  },
};

function hasAllColumns(line: string): boolean {
  let tabs = 0;
  for (let at = line.indexOf('\t'); at !== -1 && ++tabs < REAL_TIME_COLUMNS.length - 1; )
    at = line.indexOf('\t', at + 1);
  return tabs === REAL_TIME_COLUMNS.length - 1;
}

const notAll = {
  reject:
    'not all columns of CloudFront’s real-time log; name those that are there in the URL: ?source=cloudfront-realtime&columns=timestamp,c-ip,…',
};

import { readText } from '../util/coerce.js';
import type { JsonRecord, JsonSource } from '../util/source.js';
import { columnsOf } from '../w3c/w3c-columns.js';
import { readRow } from '../w3c/w3c-row.js';
import { STANDARD_COLUMNS } from './cloudfront-names.js';

/** Amazon CloudFront, standard logging (v2) as JSON: the names of the files' columns, every value a text. */
export const cloudfront: JsonSource = {
  name: 'cloudfront',
  shape: 'json',
  detect: (record) =>
    record['x-edge-location'] !== undefined ||
    record['x-edge-request-id'] !== undefined ||
    (record['cs-uri-stem'] !== undefined && record['sc-status'] !== undefined),
  open: () => parser,
};

/** Only real-time logs have `cs-host`, where it is the visitor's host. */
const names = [...STANDARD_COLUMNS, 'timestamp(ms)', 'timestamp', 'asn', 'c-country'] as const;
const columns = columnsOf(names);

const parser = {
  parse: (record: JsonRecord) =>
    readRow(
      names.map((name, place) => (columns.isRead[place] === true ? readText(record[name]) : '')),
      columns,
      '',
    ),
};

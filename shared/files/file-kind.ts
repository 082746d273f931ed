import type { FileFormat } from '../control/exports/file-format.js';
import type { AnswerCompression } from '../store/answer-file.js';

/** What a name's ending says of the file, as it is served. */
export const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
  gz: 'application/gzip',
  zst: 'application/zstd',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
} as const;

const endings = { none: null, gzip: 'gz', zstd: 'zst' } as const;

/** How a file of rows is called at its end, and what it is served as. Parquet takes no compression of the whole. */
export function fileKindOf(format: FileFormat, wanted: AnswerCompression) {
  const compression = format === 'parquet' ? 'none' : wanted;
  const ending = endings[compression];
  return {
    compression,
    ending: ending === null ? `.${format}` : `.${format}.${ending}`,
    contentType: contentTypes[ending ?? format],
  };
}

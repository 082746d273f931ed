import type { FileFormat } from '../control/exports/file-format.js';
import type { AnswerCompression } from '../store/answer-file.js';

/** Content types by file extension. */
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

/** Extension and content type of a file of rows. Parquet is never compressed as a whole. */
export function fileKindOf(format: FileFormat, wanted: AnswerCompression) {
  const compression = format === 'parquet' ? 'none' : wanted;
  const ending = endings[compression];
  return {
    compression,
    ending: ending === null ? `.${format}` : `.${format}.${ending}`,
    contentType: contentTypes[ending ?? format],
  };
}

import type { AnswerCompression } from '../../../shared/clickhouse/answer-file.js';
import type { FileFormat } from '../../../shared/exports/file-format.js';

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;
const compressed = {
  none: { ending: '', contentType: null },
  gzip: { ending: '.gz', contentType: 'application/gzip' },
  zstd: { ending: '.zst', contentType: 'application/zstd' },
} as const;

/** How a file is called at its end, and what it is served as. Parquet takes no compression of the whole. */
export function fileKindOf(format: FileFormat, wanted: AnswerCompression) {
  const compression = format === 'parquet' ? 'none' : wanted;
  const { ending, contentType } = compressed[compression];
  return {
    compression,
    ending: `.${format}${ending}`,
    contentType: contentType ?? contentTypes[format],
  };
}

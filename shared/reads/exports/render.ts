import type { FileFormat } from '../../control/exports/file-format.js';
import type { FileStatement } from '../../store/answer-file.js';
import type { Column, ExportRows } from './export-type.js';

/** First characters by which spreadsheets know a formula (OWASP, "CSV Injection"), also in their full width, which some of them read alike. */
const FORMULA = "('=', '+', '-', '@', '\\t', '\\r', '\\n', '＝', '＋', '－', '＠')";
const STARTS_FORMULA = "'^([=+@\\\\t\\\\r\\\\n＝＋－＠-])'";

/** A text with an apostrophe before what a spreadsheet would carry out. Of names one function is asked, which the engine calls for each value once. */
const disarmed = {
  text: (sql: string) => `if(substringUTF8(${sql}, 1, 1) IN ${FORMULA}, concat('\\'', ${sql}), ${sql})`,
  name: (sql: string) => `replaceRegexpOne(${sql}, ${STARTS_FORMULA}, '\\'\\\\1')`,
};

const formats = { csv: 'CSVWithNames', ndjson: 'JSONEachRow', parquet: 'Parquet' } as const;

/** The statement whose answer is the file. */
export function renderExport(
  columns: readonly Column[],
  { from, order, params }: ExportRows,
  format: FileFormat,
): Pick<FileStatement, 'sql' | 'params' | 'format'> {
  const told = columns.map(({ name, kind, sql }) => {
    const text = kind === 'value' ? sql : `toString(${sql})`;
    return `${kind !== 'value' && format === 'csv' ? disarmed[kind](text) : text} AS \`${name}\``;
  });
  return {
    sql: `SELECT ${told.join(', ')}\nFROM ${from}${order === '' ? '' : `\nORDER BY ${order}`}`,
    params,
    format: formats[format],
  };
}

import type { FileFormat } from '../../control/exports/file-format.js';
import type { FileStatement } from '../../store/answer-file.js';
import type { Column, ExportRows } from './export-type.js';

/**
 * First characters that spreadsheets take for a formula (OWASP, "CSV Injection"), including the full-width forms that some of them accept.
 */
const FORMULA = "('=', '+', '-', '@', '\\t', '\\r', '\\n', '＝', '＋', '－', '＠')";
const STARTS_FORMULA = "'^([=+@\\\\t\\\\r\\\\n＝＋－＠-])'";

/**
 * Prefixes a text with an apostrophe if a spreadsheet could execute it. For names a single function is used, which the engine evaluates
 * once per dictionary value.
 */
const disarmed = {
  text: (sql: string) => `if(substringUTF8(${sql}, 1, 1) IN ${FORMULA}, concat('\\'', ${sql}), ${sql})`,
  name: (sql: string) => `replaceRegexpOne(${sql}, ${STARTS_FORMULA}, '\\'\\\\1')`,
};

const formats = { csv: 'CSVWithNames', ndjson: 'JSONEachRow', parquet: 'Parquet' } as const;

/** The statement whose output is the file. */
export function renderExport(
  columns: readonly Column[],
  { from, order, params }: ExportRows,
  format: FileFormat,
): Pick<FileStatement, 'sql' | 'params' | 'format'> {
  const selected = columns.map(({ name, kind, sql }) => {
    const text = kind === 'value' ? sql : `toString(${sql})`;
    return `${kind !== 'value' && format === 'csv' ? disarmed[kind](text) : text} AS \`${name}\``;
  });
  return {
    sql: `SELECT ${selected.join(', ')}\nFROM ${from}${order === '' ? '' : `\nORDER BY ${order}`}`,
    params,
    format: formats[format],
  };
}

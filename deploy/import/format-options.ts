/** Descriptions of the format: URL parameters of uploads, and options of an import with the same names. */
export const formatOptions = {
  source: 'the format of the lines (default: detected)',
  format: 'the lines’ own form, in nginx’s or Apache’s notation',
  columns: 'column names for files without a header, separated by commas',
  captures: 'request headers that HAProxy captures, in order, separated by commas',
  timezone: 'time zone of times without a zone',
} as const;

export type FormatOption = keyof typeof formatOptions;

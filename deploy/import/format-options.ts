/** What a sender says of its format in the URL of its uploads, and an import by options of the same names. */
export const formatOptions = {
  source: 'the format of the lines (default: recognised)',
  format: 'the lines’ own form, in nginx’s or Apache’s notation',
  columns: 'names of columns where no header has them, by commas',
  captures: 'request headers that HAProxy captures, in their order, by commas',
  timezone: 'zone of a clock whose lines name none',
} as const;

export type FormatOption = keyof typeof formatOptions;

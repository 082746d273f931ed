const QUOTE = 34;

/** The columns to read. */
interface Wanted {
  /** Number of columns with names. */
  readonly count: number;
  /** Whether the column at each place is read, up to the last one that is; other columns may become ''. */
  readonly isRead: readonly boolean[];
}

/**
 * The columns of a line up to the last one that is read. They are separated by tabs if the line has one, else by runs
 * of spaces. If the line would have more columns than names, a quoted column may contain separators. In other lines a
 * quote is a client's, and joins nothing.
 */
export function splitColumns(line: string, { count, isRead }: Wanted): string[] {
  const separator = line.includes('\t') ? '\t' : ' ';
  if (!line.includes('"')) return splitUnquoted(line, separator, isRead);
  const plain = line.split(separator);
  const words = separator === ' ' && plain.includes('') ? plain.filter((value) => value !== '') : plain;
  if (words.length <= count) return words.map(withoutQuotes);
  const values: string[] = [];
  /**
   * Whether a quote may still be closed. After an unclosed one no other is searched, so that each line is scanned
   * once.
   */
  let closes = true;
  for (let at = 0; at < line.length; ) {
    if (closes && line.charCodeAt(at) === QUOTE) {
      const end = closingQuote(line, at + 1, separator);
      if (end !== -1) {
        values.push(line.slice(at + 1, end).replaceAll('""', '"'));
        at = end + 2;
        continue;
      }
      closes = false;
    }
    const found = line.indexOf(separator, at);
    const to = found === -1 ? line.length : found;
    if (to > at || separator === '\t')
      values.push(closes ? line.slice(at, to) : withoutQuotes(line.slice(at, to)));
    at = to + 1;
  }
  return values;
}

function splitUnquoted(line: string, separator: string, isRead: readonly boolean[]): string[] {
  const values: string[] = [];
  const joinsRuns = separator === ' ';
  for (let at = 0; at <= line.length && values.length < isRead.length; ) {
    const found = line.indexOf(separator, at);
    const to = found === -1 ? line.length : found;
    if (to > at || !joinsRuns) values.push(isRead[values.length] === true ? line.slice(at, to) : '');
    at = to + 1;
  }
  return values;
}

function withoutQuotes(word: string): string {
  const isQuoted = word.length > 1 && word.charCodeAt(0) === QUOTE && word.endsWith('"');
  return isQuoted ? word.slice(1, -1).replaceAll('""', '"') : word;
}

/**
 * Index of a column's closing quote, which precedes a separator or the line's end. A doubled quote is part of the
 * text. -1: none.
 */
function closingQuote(line: string, from: number, separator: string): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    if (line.charCodeAt(at + 1) === QUOTE) at++;
    else if (at + 1 === line.length || line[at + 1] === separator) return at;
  }
  return -1;
}

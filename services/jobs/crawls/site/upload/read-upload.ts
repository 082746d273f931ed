import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';

/** Lines of an uploaded table, or of a plain list of URLs. */

/** An invalid upload, reported to its sender. */
export class UploadError extends Error {}

/** For a field and for a line. A longer one is an error. */
const LONGEST_LINE = 1_024 * 1_024;
/** The start of a file, which shows its format. */
const HEAD = 64 * 1_024;

export type Table =
  | {
      readonly kind: 'table';
      readonly header: readonly string[];
      readonly rows: AsyncIterable<readonly string[]>;
    }
  /** One URL per line. */
  | { readonly kind: 'list'; readonly rows: AsyncIterable<readonly string[]> };

/**
 * Reads UTF-8, or UTF-16 with a byte order mark, with columns separated by commas, semicolons or tabs. Only one line is in memory.
 * @throws UploadError for a file without lines; while rows are read, for a file that ends inside quotes or has too long a line
 */
export async function readUpload(bytes: Readable): Promise<Table> {
  const { head, texts } = await readHead(decode(bytes));
  const first = head.split(/[\r\n]/).find((line) => line.trim() !== '');
  if (first === undefined) throw new UploadError('the file is empty');
  if (/^\s*"?(?:https?:\/\/|\/)/i.test(first)) return { kind: 'list', rows: readLines(texts, ',') };
  const delimiter = delimiterOf(first);
  const rows = readLines(texts, delimiter)[Symbol.asyncIterator]();
  const header = await rows.next();
  if (header.done) throw new UploadError('the file is empty');
  return {
    ...{ kind: 'table', header: header.value },
    rows: { [Symbol.asyncIterator]: () => rows },
  };
}

/** The delimiter that separates the most columns in the first line. */
function delimiterOf(line: string): string {
  const count = (delimiter: string) => line.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

async function* decode(bytes: Readable): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const piece of bytes) {
    const chunk = piece as Buffer;
    decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : 'utf-8');
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
}

/** The first lines, and the whole text from its beginning. */
async function readHead(texts: AsyncGenerator<string>) {
  let head = '';
  while (head.length < HEAD && !/[\r\n]/.test(head.trimStart())) {
    const next = await texts.next();
    if (next.done) break;
    head += next.value;
  }
  async function* whole() {
    yield head;
    yield* texts;
  }
  return { head, texts: whole() };
}

async function* readLines(
  texts: AsyncGenerator<string>,
  delimiter: string,
): AsyncGenerator<readonly string[]> {
  const parser = parse({
    ...{ delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
    max_record_size: LONGEST_LINE,
    // Named, since one file may mix them.
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  // Its errors come out of the parser.
  pipeline(Readable.from(texts), parser, () => {});
  try {
    for await (const row of parser) yield row as string[];
  } catch (error) {
    throw error instanceof UploadError || !isCsvError(error)
      ? error
      : new UploadError(`the file can't be read as a table: ${error.message.slice(0, 300)}`);
  }
}

function isCsvError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('CSV_');
}

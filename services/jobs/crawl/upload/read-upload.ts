import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';

/** Lines of an uploaded table, or of a plain list of URLs. */

/** An upload that is none, told to whoever sent it. */
export class UploadError extends Error {}

/** A field, and a line: longer ones are cut off with an error. */
const LONGEST_LINE = 1_024 * 1_024;
/** From the beginning of a file, which tells how it is written. */
const HEAD = 64 * 1_024;

export type Table =
  | {
      readonly kind: 'table';
      readonly header: readonly string[];
      readonly rows: AsyncIterable<readonly string[]>;
    }
  /** One URL a line. */
  | { readonly kind: 'list'; readonly rows: AsyncIterable<readonly string[]> };

/**
 * Reads UTF-8, or UTF-16 with a byte order mark; columns parted by commas, semicolons or tabs. Nothing is held but a line.
 * @throws UploadError for a file without lines; while rows are read, for one that breaks off inside quotes or has too long a line
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

/** That parts most columns of the first line. */
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

/** The first lines, and the whole from its beginning. */
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
  // What it throws comes out of the parser.
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

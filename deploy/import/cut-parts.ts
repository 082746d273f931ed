import { chain, type Part } from './part.js';

/**
 * Cuts a file into parts at reproducible positions: a part ends at the first line end from `partBytes` on. If the ledger has
 * a part with the same start and the same bytes, the cut follows the ledger. So the new data of a grown file starts where the
 * file ended before.
 */

export interface CutOptions {
  /** Hash of the content before the first byte. */
  readonly beginning: string;
  readonly partBytes: number;
  /** A file without a line end in so many bytes is refused. */
  readonly mostBytes: number;
  /** Sizes of the known parts that follow this content, largest first. */
  readonly knownSizes: (before: string) => readonly number[];
  /** Whether the content up to here was imported. */
  readonly isKnown: (before: string, after: string) => boolean;
}

export interface CutPart extends Part {
  readonly isKnown: boolean;
}

/** The file can't be cut. */
export class NoLogFile extends Error {}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const OPEN_OBJECT = 123;
/** Enough bytes to recognise the kind of a file. */
const HEAD_BYTES = 4_096;

export async function* cutParts(
  chunks: AsyncIterable<Buffer>,
  { beginning: start, partBytes, mostBytes, knownSizes, isKnown }: CutOptions,
): AsyncGenerator<CutPart> {
  const source = chunks[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let length = 0;
  let ended = false;
  let before = start;

  /** Reads until the buffer has so many bytes, or the file ends. */
  async function hold(bytes: number): Promise<void> {
    while (length < bytes && !ended) {
      const next = await source.next();
      if (next.done) ended = true;
      else {
        held.push(next.value);
        length += next.value.length;
      }
    }
  }

  /** The buffer as one piece. */
  function joined(): Buffer {
    if (held.length !== 1) held = [Buffer.concat(held)];
    return held[0]!;
  }

  function take(bytes: Buffer, after: string, known: boolean): CutPart {
    const rest = joined().subarray(bytes.length);
    held = rest.length === 0 ? [] : [rest];
    length = rest.length;
    const part = { bytes, before, after, isKnown: known };
    before = after;
    return part;
  }

  async function takeKnown(): Promise<CutPart | null> {
    for (const size of knownSizes(before)) {
      await hold(size + 1);
      if (length < size) continue;
      const bytes = joined().subarray(0, size);
      // A last line without an end may have grown since.
      const next = joined()[size];
      const endsLine = bytes[size - 1] === LINE_FEED || next === undefined || next === LINE_FEED;
      if (!endsLine && next !== CARRIAGE_RETURN) continue;
      const after = chain(before, bytes);
      if (isKnown(before, after)) return take(bytes, after, true);
    }
    return null;
  }

  async function takeNew(): Promise<CutPart> {
    let from = partBytes - 1;
    await hold(from + 2);
    while (length >= from + 2) {
      const end = findEnd(joined(), from, ofObjects);
      if (end !== -1) return takeUpTo(end);
      if (length > mostBytes)
        throw new NoLogFile(
          `no line ends within ${mostBytes} bytes: this is not a log file of lines or records`,
        );
      // Avoids joining the buffer for each read.
      from = length - 1;
      await hold(Math.max(from + 2, Math.ceil(length * 1.25)));
    }
    return takeUpTo(lastEnd(joined(), ofObjects));
  }

  function takeUpTo(end: number): CutPart {
    const bytes = joined().subarray(0, end);
    return take(bytes, chain(before, bytes), false);
  }

  await hold(HEAD_BYTES);
  const ofObjects = length > 0 && beginsObject(joined());
  for (;;) {
    await hold(1);
    if (length === 0) return;
    yield (await takeKnown()) ?? (await takeNew());
  }
}

function beginsObject(head: Buffer): boolean {
  return /^(\xef\xbb\xbf)?\s*\{/.test(head.toString('latin1', 0, HEAD_BYTES));
}

/**
 * @param ofObjects whether a part starts with a brace: an object may span several lines
 * @returns the index after the first line end at or after `from` that is followed by bytes; -1 for none.
 */
function findEnd(bytes: Buffer, from: number, ofObjects: boolean): number {
  for (let at = bytes.indexOf(LINE_FEED, from); at !== -1 && at + 1 < bytes.length; ) {
    if (!ofObjects || bytes[at + 1] === OPEN_OBJECT) return at + 1;
    at = bytes.indexOf(LINE_FEED, at + 1);
  }
  return -1;
}

/** For the end of the file: a last line without an end is a separate part, since it may still grow. */
function lastEnd(bytes: Buffer, ofObjects: boolean): number {
  if (bytes[bytes.length - 1] === LINE_FEED) return bytes.length;
  const end = ofObjects ? bytes.lastIndexOf('\n{') : bytes.lastIndexOf(LINE_FEED);
  return end === -1 ? bytes.length : end + 1;
}

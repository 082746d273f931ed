import { createControlStripper } from '../../shared/byte-streams/strip-controls.js';
import { type CutPart, cutParts } from './cut-parts.js';
import { createDirectives } from './directives.js';
import type { Ledger } from './ledger.js';
import { beginning, countLines } from './part.js';
import type { SendPart, Taken } from './send-part.js';
import { unrollArray } from './unroll-array.js';
import { wholeLines } from './whole-lines.js';

/** Imports one file: content → one record per line → parts → unknown parts are sent → ledger. */

const PART_BYTES = 8 * 1024 ** 2;
const MOST_PART_BYTES = 64 * 1024 ** 2;
const PARTS_AT_ONCE = 2;
/** Most distinct reasons in a summary. */
const MOST_REASONS = 20;

export interface ImportOptions {
  /** Name in the ledger, for people. */
  readonly name: string;
  readonly ledger: Ledger;
  /** Default: '' (part.ts). */
  readonly generation?: string;
  readonly send: SendPart;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called with the number of lines of each part that was sent or is known. */
  readonly onLines: (lines: number) => void;
  readonly partBytes?: number;
}

export interface Counts {
  /** Lines of the file that were read. */
  lines: number;
  accepted: number;
  rejected: number;
  skipped: number;
  /** Lines that were imported before. */
  known: number;
  /** Reported reasons of rejected lines: the first line of each reason, and the number of reports. */
  readonly reasons: Map<string, { line: number; printed: number }>;
}

export function noCounts(): Counts {
  return { lines: 0, accepted: 0, rejected: 0, skipped: 0, known: 0, reasons: new Map() };
}

/**
 * @param counts updated during the import, so a failed file also has counts
 * @throws Refused, NoLogFile, or a read error, after the lines before it were sent. The ledger has all sent parts.
 */
export async function importFile(
  chunks: AsyncIterable<Buffer>,
  counts: Counts,
  { name, ledger, generation = '', send, now, onLines, partBytes = PART_BYTES }: ImportOptions,
): Promise<void> {
  const directives = createDirectives();
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | null = null;

  async function sendPart({ bytes, before, after }: CutPart, head: Buffer, firstLine: number): Promise<void> {
    const lines = countLines(bytes);
    const taken = await send([head, bytes], `import-${after}`);
    const { accepted, rejected, skipped } = taken;
    const at = new Date(now()).toISOString();
    await ledger.add({
      before,
      after,
      bytes: bytes.length,
      lines,
      accepted,
      rejected,
      skipped,
      file: name,
      at,
    });
    count(counts, taken, firstLine - countLines(head));
    onLines(lines);
  }

  async function start(part: CutPart, head: Buffer, firstLine: number): Promise<void> {
    if (underWay.size >= PARTS_AT_ONCE) await Promise.race(underWay);
    if (failure !== null) return;
    const one: Promise<void> = sendPart(part, head, firstLine)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }

  let unread: { readonly error: unknown } | null = null;
  const lines = wholeLines(unrollArray(withoutControls(chunks)), MOST_PART_BYTES, (error) => {
    unread = { error };
  });
  const parts = cutParts(lines, {
    beginning: beginning(generation),
    partBytes,
    mostBytes: MOST_PART_BYTES,
    ...ledger,
  });
  try {
    for await (const part of parts) {
      const lines = countLines(part.bytes);
      if (part.isKnown) {
        counts.known += lines;
        onLines(lines);
      } else await start(part, directives.lines, counts.lines);
      if (failure !== null) break;
      directives.read(part.bytes);
      counts.lines += lines;
    }
  } finally {
    await Promise.all(underWay);
  }
  const problem = (failure ?? unread) as { readonly error: unknown } | null;
  if (problem !== null) throw problem.error;
}

/** A log that was rotated by copying may start with millions of NUL bytes. They must not count as a line without an end. */
async function* withoutControls(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const controls = createControlStripper();
  for await (const chunk of chunks) {
    const text = controls.strip(chunk);
    if (text.length > 0) yield text;
  }
  const rest = controls.end();
  if (rest.length > 0) yield rest;
}

function count(counts: Counts, { accepted, rejected, skipped, errors }: Taken, linesBefore: number): void {
  counts.accepted += accepted;
  counts.rejected += rejected;
  counts.skipped += skipped;
  for (const { line, reason } of errors) {
    const place = linesBefore + line;
    const known = counts.reasons.get(reason);
    if (known !== undefined) {
      known.printed++;
      known.line = Math.min(known.line, place);
    } else if (counts.reasons.size < MOST_REASONS) counts.reasons.set(reason, { line: place, printed: 1 });
  }
}

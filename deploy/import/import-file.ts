import { createControlStripper } from '../../shared/byte-streams/strip-controls.js';
import { type CutPart, cutParts } from './cut-parts.js';
import { createDirectives } from './directives.js';
import type { Ledger } from './ledger.js';
import { beginning, countLines } from './part.js';
import type { SendPart, Taken } from './send-part.js';
import { unrollArray } from './unroll-array.js';
import { wholeLines } from './whole-lines.js';

/** One file's way: content → records a line → parts → what the ledger doesn't know is sent → the ledger. */

const PART_BYTES = 8 * 1024 ** 2;
const MOST_PART_BYTES = 64 * 1024 ** 2;
const PARTS_AT_ONCE = 2;
/** Kept apart; more tell no more. */
const MOST_REASONS = 20;

export interface ImportOptions {
  /** As the ledger names it to people. */
  readonly name: string;
  readonly ledger: Ledger;
  /** Default: '' (part.ts). */
  readonly generation?: string;
  readonly send: SendPart;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told the lines of each part that is done with, sent or known. */
  readonly onLines: (lines: number) => void;
  readonly partBytes?: number;
}

export interface Counts {
  /** Of the file, as far as it was read. */
  lines: number;
  accepted: number;
  rejected: number;
  skipped: number;
  /** Lines that were imported before. */
  known: number;
  /** Why lines were rejected, as far as ingest tells: the first line of each reason, and how often it was told. */
  readonly reasons: Map<string, { line: number; told: number }>;
}

export function noCounts(): Counts {
  return { lines: 0, accepted: 0, rejected: 0, skipped: 0, known: 0, reasons: new Map() };
}

/**
 * @param counts are counted up while it goes on, so that a file that fails has them too
 * @throws Refused, NoLogFile, or what reading the file throws, once the lines before that are sent; what was sent is in the ledger.
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

/** Millions of NUL bytes may precede the first line of a log that was rotated by copying: they are no line without an end. */
async function* withoutControls(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const controls = createControlStripper();
  for await (const chunk of chunks) {
    const text = controls.push(chunk);
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
      known.told++;
      known.line = Math.min(known.line, place);
    } else if (counts.reasons.size < MOST_REASONS) counts.reasons.set(reason, { line: place, told: 1 });
  }
}

import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

/** What has been imported: a line for each part that ingest has answered for, on the disk before the next thing is said of it. */

const entrySchema = z.object({
  website: z.string(),
  before: z.string(),
  after: z.string(),
  bytes: z.number().int().positive(),
  lines: z.number().int().nonnegative(),
  accepted: z.number().int().nonnegative(),
  rejected: z.number().int().nonnegative(),
  skipped: z.number().int().nonnegative(),
  /** For people: where the part came from, and when. */
  file: z.string(),
  at: z.string(),
});
export type LedgerEntry = z.infer<typeof entrySchema>;

export interface Ledger {
  /** Sizes of the website's parts that begin behind this content, largest first. */
  knownSizes(before: string): readonly number[];
  isKnown(before: string, after: string): boolean;
  /** Resolves when the entry is on the disk. */
  add(entry: Omit<LedgerEntry, 'website'>): Promise<void>;
  close(): Promise<void>;
}

/** @param website what the ledger knows it by (part.ts) */
export async function openLedger(path: string, website: string): Promise<Ledger> {
  await mkdir(dirname(path), { recursive: true });
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const known = readLedger(text, website);
  const file = await open(path, 'a', 0o600);
  // A kill may have cut the last line off.
  let separator = text === '' || text.endsWith('\n') ? '' : '\n';
  let written: Promise<unknown> = Promise.resolve();

  return {
    knownSizes: (before) => [...new Set([...(known.get(before)?.values() ?? [])])].sort((a, b) => b - a),
    isKnown: (before, after) => known.get(before)?.has(after) ?? false,
    async add(entry) {
      const line = `${separator}${JSON.stringify({ website, ...entry })}\n`;
      separator = '';
      const appended = written.then(async () => {
        await file.appendFile(line);
        await file.datasync();
      });
      written = appended.catch(() => {});
      await appended;
      remember(known, entry);
    },
    async close() {
      await written;
      await file.close();
    },
  };
}

/** By the content before it, the content after each part and its size. */
type KnownParts = Map<string, Map<string, number>>;

function readLedger(text: string, website: string): KnownParts {
  const known: KnownParts = new Map();
  for (const line of text.split('\n')) {
    const entry = readEntry(line);
    if (entry !== null && entry.website === website) remember(known, entry);
  }
  return known;
}

/** A part of which nothing was taken is sent again: what was wrong (its format, its time zone, the plan) may be right now. */
function remember(
  known: KnownParts,
  { before, after, bytes, accepted, rejected }: Omit<LedgerEntry, 'website'>,
): void {
  if (accepted === 0 && rejected > 0) return;
  const parts = known.get(before) ?? new Map<string, number>();
  known.set(before, parts.set(after, bytes));
}

function readEntry(line: string): LedgerEntry | null {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

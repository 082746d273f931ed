import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

/** The record of imports: one line for each part that ingest has acknowledged. A line is on disk before the import continues. */

const entrySchema = z.object({
  website: z.string(),
  before: z.string(),
  after: z.string(),
  bytes: z.number().int().positive(),
  lines: z.number().int().nonnegative(),
  accepted: z.number().int().nonnegative(),
  rejected: z.number().int().nonnegative(),
  skipped: z.number().int().nonnegative(),
  /** For people: the source of the part, and the time. */
  file: z.string(),
  at: z.string(),
});
export type LedgerEntry = z.infer<typeof entrySchema>;

export interface Ledger {
  /** Sizes of the website's parts that follow this content, largest first. */
  knownSizes(before: string): readonly number[];
  isKnown(before: string, after: string): boolean;
  /** Resolves when the entry is on the disk. */
  add(entry: Omit<LedgerEntry, 'website'>): Promise<void>;
  close(): Promise<void>;
}

/** @param website its id in the ledger (part.ts) */
export async function openLedger(path: string, website: string): Promise<Ledger> {
  await mkdir(dirname(path), { recursive: true });
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const known = readLedger(text, website);
  const file = await open(path, 'a', 0o600);
  // A kill may have truncated the last line.
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

/** By the hash of the content before a part: the hash after it, and its size. */
type KnownParts = Map<string, Map<string, number>>;

function readLedger(text: string, website: string): KnownParts {
  const known: KnownParts = new Map();
  for (const line of text.split('\n')) {
    const entry = readEntry(line);
    if (entry !== null && entry.website === website) remember(known, entry);
  }
  return known;
}

/** A part without accepted lines is sent again, since the cause (format, time zone or plan) may be corrected now. */
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

import { z } from 'zod';

/**
 * Entries of `requests.dead`: a record of `requests.raw` that could not be stored, or a note about its replay. JSON, so
 * that it can be read without this program; the record's own bytes are base64.
 */

/** Position in `requests.raw`, which identifies the dead record. */
const place = { partition: z.number().int().min(0), offset: z.number().int().min(0) };

const deadRecord = z.object({
  kind: z.literal('dead'),
  topic: z.literal('requests.raw'),
  ...place,
  reason: z.string(),
  value: z.string().transform((text): Buffer => Buffer.from(text, 'base64')),
});

/** Written before the record is appended again (`replaying`) and after (`replayed`). */
const replayNote = z.object({
  kind: z.enum(['replaying', 'replayed']),
  topic: z.literal('requests.raw'),
  ...place,
  /** Its new position; unknown in a note of `replaying`. */
  to: z.object(place).nullable(),
});

const entry = z.union([deadRecord, replayNote]);

export type DeadRecord = z.output<typeof deadRecord>;
export type ReplayNote = z.output<typeof replayNote>;
export type DeadEntry = DeadRecord | ReplayNote;

export function encodeDeadEntry(written: DeadEntry): Buffer {
  const json = written.kind === 'dead' ? { ...written, value: written.value.toString('base64') } : written;
  return Buffer.from(JSON.stringify(json));
}

/** @throws Error in one line if the bytes are not an entry. */
export function decodeDeadEntry(value: Buffer): DeadEntry {
  const parsed = entry.safeParse(parseJson(value));
  if (!parsed.success) throw new Error('requests.dead: not an entry of this version');
  return parsed.data;
}

function parseJson(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString('utf8'));
  } catch {
    return undefined;
  }
}

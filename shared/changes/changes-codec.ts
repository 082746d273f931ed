import { versionedAvro } from '../schemas/versioned-avro.js';
import type { DataChange } from './data-change.js';

/** A record of the topic `changes`: stored data that one process has changed since its last record. */
export interface ChangesRecord {
  /** Identifies one start of a process. */
  readonly writerId: string;
  /** By the clock of the writer, milliseconds since the epoch. */
  readonly sentAt: number;
  /** The last record of this writer: it writes no more. */
  readonly isLeaving: boolean;
  readonly changes: readonly DataChange[];
}

interface Written {
  writer_id: string;
  sent_at: number;
  is_leaving: boolean;
  changes: {
    website_id: string | null;
    first_hour: number | null;
    last_hour: number | null;
    keeps_rows: boolean;
  }[];
}

/** Ids are kept while their writer lives and their website changes. Longer ones are not of this program. */
const LONGEST_ID = 200;
/** A writer sends fewer (unshared-changes.ts). Each may list thousands of hours. */
const MOST_CHANGES = 5_000;

const codec = versionedAvro<Written>('changes', 1);

/** Some 50 bytes, and 50 for each change. */
export function encodeChanges({ writerId, sentAt, isLeaving, changes }: ChangesRecord): Buffer {
  return codec.encode({
    writer_id: writerId,
    sent_at: sentAt,
    is_leaving: isLeaving,
    changes: changes.map(({ websiteId, firstHour, lastHour, keepsRows }) => ({
      website_id: websiteId,
      first_hour: firstHour ?? null,
      last_hour: lastHour ?? null,
      keeps_rows: keepsRows ?? false,
    })),
  });
}

/** @throws Error that describes the malformed bytes. */
export function decodeChanges(value: Buffer): ChangesRecord {
  const { writer_id, sent_at, is_leaving, changes } = codec.decode(value);
  const ids = [writer_id, ...changes.map(({ website_id }) => website_id ?? '')];
  if (changes.length > MOST_CHANGES || ids.some(({ length }) => length > LONGEST_ID))
    throw new Error(`changes: a record has ${changes.length} changes or an id longer than ${LONGEST_ID}`);
  return {
    writerId: writer_id,
    sentAt: sent_at,
    isLeaving: is_leaving,
    changes: changes.map(({ website_id, first_hour, last_hour, keeps_rows }) => ({
      websiteId: website_id,
      firstHour: first_hour ?? undefined,
      lastHour: last_hour ?? undefined,
      keepsRows: keeps_rows,
    })),
  };
}

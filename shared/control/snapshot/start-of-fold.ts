import type { EventLog, LogRecord } from '../../event-log/event-log.js';
import type { Logger } from '../../logging/log.js';
import { decodeDecision } from '../domain/event-codec.js';
import { emptyState, type WritableState } from '../domain/state.js';
import { foldFingerprint } from './fold-fingerprint.js';
import { deserialise, type Snapshot } from './snapshot.js';
import type { SnapshotStore } from './snapshot-store.js';

export interface FoldStart {
  readonly state: WritableState;
  /** Offset of the first record to fold onto it. */
  readonly nextOffset: number;
}

/**
 * The newest snapshot, or the empty state. A snapshot is only an optimisation. If the store does not answer, or its
 * snapshot is unreadable or of another log, the fold begins at the first record, with one warning.
 */
export async function findFoldStart(
  log: EventLog,
  snapshots: Pick<SnapshotStore, 'readNewest'> | undefined,
  logger: Logger,
): Promise<FoldStart> {
  try {
    const snapshot = await snapshots?.readNewest(foldFingerprint());
    if (snapshot) {
      await refuseForeign(log, snapshot);
      return { state: await deserialise(snapshot.parts), nextOffset: snapshot.nextOffset };
    }
  } catch (error) {
    logger.warn({ err: error }, 'no snapshot of the control plane to start from, folding the whole log');
  }
  return { state: emptyState(), nextOffset: 0 };
}

/** Otherwise a recreated log next to an old ClickHouse would be skipped up to the old log's offset. */
async function refuseForeign(log: EventLog, { nextOffset, lastDecision }: Snapshot): Promise<void> {
  const record = await firstRecordFrom(log, nextOffset - 1);
  if (record === null || decodeDecision(record.value).id !== lastDecision)
    throw new Error(`the snapshot at offset ${nextOffset} belongs to another log`);
}

/** The first record of the control log at this offset or behind it; null: there is none. */
export async function firstRecordFrom(log: Pick<EventLog, 'tail'>, from: number): Promise<LogRecord | null> {
  let found!: (record: LogRecord) => void;
  const first = new Promise<LogRecord>((resolve) => {
    found = resolve;
  });
  const tail = await log.tail({
    topic: 'control.events',
    from,
    onRecords: ([record]) => record && found(record),
    onCrash() {},
  });
  return Promise.race([first, tail.caughtUp.then(() => null)]).finally(() => tail.stop());
}

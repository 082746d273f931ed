import type { Logger } from '../../logging/log.js';
import type { WritableState } from '../domain/state.js';
import { foldFingerprint } from './fold-fingerprint.js';
import { copyState, type StateCopy, serialise } from './snapshot.js';
import type { SnapshotStore } from './snapshot-store.js';

/**
 * Records between two snapshots: about a quarter of the log's length, within bounds. Small installations then have a
 * snapshot too, and the total cost is proportional to the log. A restart folds at most about as many. Powers of two, so
 * that all replicas use the same offsets.
 */
export function snapshotGap(nextOffset: number): number {
  const quarter = 2 ** Math.floor(Math.log2(Math.max(1, nextOffset / 4)));
  return Math.min(Math.max(quarter, 1_024), 16_384);
}

export interface SnapshotTaker {
  /** The state contains every record before `nextOffset`; the last is this decision's. */
  folded(decisionId: string, nextOffset: number): void;
  /** Enables snapshots. Before, they would lengthen a start. */
  begin(): void;
  /** A snapshot in progress stays incomplete, which readers detect. */
  stop(): void;
}

export interface TakeSnapshotsOptions {
  readonly state: WritableState;
  /** Offset of the snapshot from which the state was restored, or 0. */
  readonly nextOffset: number;
  /** Absent for a process that only reads snapshots. */
  readonly write: SnapshotStore['write'] | undefined;
  /** Records until the next one. */
  readonly gap: (nextOffset: number) => number;
  /** Resolves when the effects of all records before this offset are durable, so that a restart may begin there. */
  readonly before: ((nextOffset: number) => Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * Writes a snapshot each time that the offset passes a multiple of its gap, but never two at once: a due one waits for
 * the next multiple. Replicas fold the same records, so they write equal snapshots, and the store keeps one. A failure
 * only loses that snapshot.
 */
export function createSnapshotTaker(options: TakeSnapshotsOptions): SnapshotTaker {
  const { state, write, gap, before, now, logger } = options;
  let last = { id: '', nextOffset: options.nextOffset };
  let taken = options.nextOffset;
  let ready = false;
  let writing = false;
  let stopped = false;

  function takeWhereDue(): void {
    const every = gap(last.nextOffset);
    const due = Math.floor(last.nextOffset / every) > Math.floor(taken / every);
    if (!ready || !due || writing || stopped || write === undefined) return;
    taken = last.nextOffset;
    writing = true;
    store(copyState(state), last, write)
      .catch((error: unknown) => {
        if (!stopped)
          logger.warn({ err: error, next_offset: taken }, 'snapshot of the control plane not written');
      })
      .finally(() => {
        writing = false;
      });
  }

  async function store(copy: StateCopy, at: typeof last, write: SnapshotStore['write']): Promise<void> {
    const { nextOffset } = at;
    const startedAt = now();
    await before?.(nextOffset);
    const parts = untilStopped(serialise(copy));
    await write({ fingerprint: foldFingerprint(), nextOffset, lastDecision: at.id, parts });
    logger.info({ next_offset: nextOffset, ms: now() - startedAt }, 'snapshot of the control plane written');
  }

  async function* untilStopped(parts: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const part of parts) {
      if (stopped) throw new Error('the control plane is closed');
      yield part;
    }
  }

  return {
    folded(id, nextOffset) {
      last = { id, nextOffset };
      takeWhereDue();
    },
    begin() {
      ready = true;
      takeWhereDue();
    },
    stop() {
      stopped = true;
    },
  };
}

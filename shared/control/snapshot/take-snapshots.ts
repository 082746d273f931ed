import type { Logger } from '../../logging/log.js';
import type { WritableState } from '../domain/state.js';
import { foldFingerprint } from './fold-fingerprint.js';
import { copyState, type StateCopy, serialise } from './snapshot.js';
import type { SnapshotStore } from './snapshot-store.js';

/**
 * Records from one snapshot to the next, where the log has so many: about a quarter of the log, so that few customers have a snapshot too and all
 * snapshots together cost in proportion to the log. A restart folds about as many at most. Powers of two, so that all replicas take the same ones.
 */
export function snapshotGap(nextOffset: number): number {
  const quarter = 2 ** Math.floor(Math.log2(Math.max(1, nextOffset / 4)));
  return Math.min(Math.max(quarter, 1_024), 16_384);
}

export interface SnapshotTaker {
  /** The state holds every record before `nextOffset`, the last of them this decision's. */
  folded(decisionId: string, nextOffset: number): void;
  /** From here on snapshots are taken; before, they would make a start longer. */
  begin(): void;
  /** The one that is being written is left half-written, which no reader takes for one. */
  stop(): void;
}

export interface TakeSnapshotsOptions {
  readonly state: WritableState;
  /** Of the snapshot that the state comes from, or 0. */
  readonly nextOffset: number;
  /** Who only reads snapshots gives none. */
  readonly write: SnapshotStore['write'] | undefined;
  /** Records to the next one, where the log has so many. */
  readonly gap: (nextOffset: number) => number;
  /** Everything before this offset must be safe elsewhere before a restart may begin there. */
  readonly before: ((nextOffset: number) => Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * Writes a snapshot each time that the offset passes a multiple of its gap, and never two at once: what is due while one
 * is being written waits for the next multiple. Replicas fold the same records, so they write the same snapshots, of
 * which the store keeps one. A failure costs nothing but that snapshot.
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

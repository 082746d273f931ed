import type { Logger } from '../../logging/log.js';
import type { ClickHouse } from '../../store/client.js';
import type { Snapshot } from './snapshot.js';
import {
  dropSnapshot,
  insertSnapshotPart,
  listSnapshots,
  readSnapshotParts,
  type SnapshotName,
  type StoredSnapshot,
} from './snapshot-rows.js';

export interface SnapshotStore {
  /**
   * The newest complete snapshot of the fingerprint; its parts are read lazily.
   * @throws StoreUnavailableError, StoreTimeoutError, Error; so do the parts.
   */
  readNewest(fingerprint: string): Promise<Snapshot | null>;
  /** Repeated or concurrent writes leave one snapshot. @throws as above, and errors of `parts`. */
  write(snapshot: Snapshot): Promise<void>;
}

/**
 * Reading 190 parts of 1 MB one by one takes 4.0 s of CPU, eight at a time 2.3 s. Larger parts would be as fast, but
 * writing them would block a running process for longer.
 */
const PARTS_PER_READ = 8;
/** The second is for readers while the third is being written. */
const KEPT = 2;
/** After a rollback, a release finds its own snapshots for this long. */
const OTHER_FOLDS_SECONDS = 14 * 86_400;

/** Snapshots in the table `control_snapshots`. A new one deletes obsolete ones. */
export function createSnapshotStore(clickhouse: ClickHouse, logger: Logger): SnapshotStore {
  async function* partsOf(name: SnapshotName, count: number): AsyncGenerator<string> {
    let next = readFrom(name, 0, count);
    for (let part = 0; part < count; part += PARTS_PER_READ) {
      const contents = await next;
      next = readFrom(name, part + PARTS_PER_READ, count);
      yield* contents;
    }
  }

  /** Prefetched while the previous parts are processed. */
  function readFrom(name: SnapshotName, from: number, count: number): Promise<string[]> {
    if (from >= count) return Promise.resolve([]);
    const contents = readSnapshotParts(clickhouse, name, {
      from,
      to: Math.min(from + PARTS_PER_READ, count),
    });
    // The reader of the parts gets the error later; a reader that stopped gets none.
    contents.catch(() => {});
    return contents;
  }

  async function dropOld(fingerprint: string): Promise<void> {
    try {
      for (const old of superfluous(await listSnapshots(clickhouse), fingerprint))
        await dropSnapshot(clickhouse, old);
    } catch (error) {
      logger.warn({ err: error }, 'old snapshots of the control plane not removed');
    }
  }

  return {
    async readNewest(fingerprint) {
      const newest = (await listSnapshots(clickhouse)).find(
        (stored) => stored.fingerprint === fingerprint && stored.parts > 0,
      );
      return newest === undefined ? null : { ...newest, parts: partsOf(newest, newest.parts) };
    },
    async write({ parts, ...name }) {
      let part = 0;
      let held: string | null = null;
      // Delays each part by one, since only the last has the count.
      for await (const content of parts) {
        if (held !== null)
          await insertSnapshotPart(clickhouse, name, { part: part++, parts: 0, content: held });
        held = content;
      }
      await insertSnapshotPart(clickhouse, name, { part, parts: part + 1, content: held ?? '' });
      await dropOld(name.fingerprint);
    },
  };
}

/**
 * Obsolete snapshots: those of this fold that are older than the newest complete ones, including incomplete ones, and
 * expired ones of other folds.
 */
export function superfluous(newestFirst: readonly StoredSnapshot[], fingerprint: string): StoredSnapshot[] {
  const own = newestFirst.filter((stored) => stored.fingerprint === fingerprint);
  const lastKept = own.filter(({ parts }) => parts > 0)[KEPT - 1];
  return [
    ...(lastKept === undefined ? [] : own.slice(own.indexOf(lastKept) + 1)),
    ...newestFirst.filter(
      (stored) => stored.fingerprint !== fingerprint && stored.ageSeconds > OTHER_FOLDS_SECONDS,
    ),
  ];
}

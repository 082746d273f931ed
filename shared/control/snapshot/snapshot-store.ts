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
   * The newest complete one of the fingerprint; its parts are read as they are walked.
   * @throws StoreUnavailableError, StoreTimeoutError, Error; so do the parts.
   */
  readNewest(fingerprint: string): Promise<Snapshot | null>;
  /** Repeated, or written by several at once, it leaves one. @throws as above, and what `parts` throws. */
  write(snapshot: Snapshot): Promise<void>;
}

/**
 * Read one by one, 190 parts of 1 MB cost 4.0 s of CPU, the embedded engine's included; by eight, 2.3 s. Larger parts
 * would do the same, and make a running process pause longer when it writes them.
 */
const PARTS_PER_READ = 8;
/** The second is for who reads while the third is being written. */
const KEPT = 2;
/** A release that is put back in place finds its own for so long. */
const OTHER_FOLDS_SECONDS = 14 * 86_400;

/** Snapshots in the table `control_snapshots`. A new one takes away those that nobody will read any more. */
export function createSnapshotStore(clickhouse: ClickHouse, logger: Logger): SnapshotStore {
  async function* partsOf(name: SnapshotName, count: number): AsyncGenerator<string> {
    let next = readFrom(name, 0, count);
    for (let part = 0; part < count; part += PARTS_PER_READ) {
      const contents = await next;
      next = readFrom(name, part + PARTS_PER_READ, count);
      yield* contents;
    }
  }

  /** Under way while the ones before are worked on. */
  function readFrom(name: SnapshotName, from: number, count: number): Promise<string[]> {
    if (from >= count) return Promise.resolve([]);
    const contents = readSnapshotParts(clickhouse, name, {
      from,
      to: Math.min(from + PARTS_PER_READ, count),
    });
    // Who walks the parts meets it at its turn; nobody does who has stopped before.
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
      // Holds one part back: only the last carries the count.
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

/** Those of this fold behind the newest complete ones, half-written ones too, and forgotten ones of other folds. */
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

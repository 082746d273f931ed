import { type ChangesRecord, decodeChanges } from '../../../shared/changes/changes-codec.js';
import type { Config } from '../../../shared/config.js';
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { inTime } from '../../../shared/pacing/in-time.js';
import type { Service } from '../../../shared/service/service.js';
import { followTopic, type Listener } from '../../../shared/service/share-over-topic.js';
import { createDataVersions, type DataVersions, unknownVersions } from './data-versions.js';

/**
 * Versions of a replica of the API, raised by the records of all writers (docs/decisions/031-shared-changes.md). The topic has one
 * partition, so a record that this replica sent and reads back shows that it has read all earlier records.
 */

/** A writer sends a record every second. After this time without one, its changes may be missing: versions are unknown. */
const SILENT_MS = 5 * SECOND_MS;
/** A writer that is silent for this time has ended. An insert takes at most two minutes, so its last one has ended, too. */
const GONE_MS = 3 * MINUTE_MS;
/** Writers that are followed. While there are more, versions are unknown. */
const MOST_WRITERS = 1_000;
/** Opening a tail may hang if the log is unavailable. */
const LAST_MS = 2_000;

export interface FollowedVersions extends Listener {
  readonly versions: DataVersions;
}

/** @param writerId of this process, which shares its own changes, too */
export function createFollowedVersions(
  writerId: string,
  { config, now }: Pick<Service, 'now'> & { readonly config: Pick<Config, 'CLICKHOUSE_CLUSTER'> },
): FollowedVersions {
  const raised = createDataVersions(now);
  const writers = new Map<string, { readonly heardAt: number; readonly appendedAt: number }>();
  let isCaughtUp = false;
  /** When a writer beyond MOST_WRITERS was last heard; null: none lives. */
  let unfollowedAt: number | null = null;
  /** When this process sent its last record that it has read back. */
  let sentAt = Number.NEGATIVE_INFINITY;
  let knownUntil = Number.NEGATIVE_INFINITY;

  function leaveOut(isGone: (writer: { heardAt: number; appendedAt: number }) => boolean): void {
    for (const [id, writer] of writers) {
      if (!isGone(writer)) continue;
      writers.delete(id);
      // Its last changes may be unshared.
      raised.raise([{ websiteId: null }]);
    }
  }

  function refresh(): void {
    const at = now();
    // After the clock was set back, silence counts from then on.
    for (const [id, writer] of writers) if (writer.heardAt > at) writers.set(id, { ...writer, heardAt: at });
    leaveOut(({ heardAt }) => at - heardAt >= GONE_MS);
    if (unfollowedAt !== null && Math.abs(at - unfollowedAt) >= GONE_MS) {
      unfollowedAt = null;
      raised.raise([{ websiteId: null }]);
    }
    const heard = Array.from(writers.values(), ({ heardAt }) => heardAt);
    const isComplete = isCaughtUp && unfollowedAt === null;
    knownUntil = isComplete ? Math.min(sentAt, ...heard) + SILENT_MS : Number.NEGATIVE_INFINITY;
  }

  function isKnown(): boolean {
    const at = now();
    return at >= sentAt && at < knownUntil;
  }

  const versions: DataVersions = {
    versionOf: (websiteId, part) => (isKnown() ? raised.versionOf(websiteId, part) : null),
    hourVersionOf: (...hour) => (isKnown() ? raised.hourVersionOf(...hour) : null),
  };

  return {
    // In a cluster, a replica may answer a read without rows that another replica has stored and a writer has reported.
    versions: config.CLICKHOUSE_CLUSTER === undefined ? versions : unknownVersions,
    take(value, appendedAt) {
      let record: ChangesRecord;
      try {
        record = decodeChanges(value);
      } catch (error) {
        // A later release may report changes that this one can not read.
        raised.raise([{ websiteId: null }]);
        throw error;
      }
      raised.raise(record.changes);
      if (record.writerId === writerId) sentAt = record.sentAt;
      if (record.isLeaving) writers.delete(record.writerId);
      else if (writers.has(record.writerId) || writers.size < MOST_WRITERS)
        writers.set(record.writerId, { heardAt: now(), appendedAt });
      else unfollowedAt = now();
      refresh();
    },
    onCaughtUp() {
      isCaughtUp = true;
      leaveOut(({ appendedAt }) => now() - appendedAt >= GONE_MS);
      // Records may have been deleted before they were read.
      raised.raise([{ websiteId: null }]);
      refresh();
    },
    onLost() {
      isCaughtUp = false;
      refresh();
    },
  };
}

/** Reads the changes of all writers until the process stops. Nothing waits for it: until it has caught up, versions are unknown. */
export function followChanges(
  { logger, onStop }: Pick<Service, 'logger' | 'onStop'>,
  { log, followed, retryMs = SECOND_MS }: FollowChangesOptions,
): void {
  const ending = new AbortController();
  const following = followTopic(
    { topic: 'changes', log, logger, stopping: ending.signal, retryMs },
    followed,
  );
  onStop(async () => {
    ending.abort();
    await inTime(following, LAST_MS, undefined);
  });
}

export interface FollowChangesOptions {
  readonly log: EventLog;
  readonly followed: FollowedVersions;
  /** Delay between attempts while the log is unavailable. */
  readonly retryMs?: number;
}

import {
  createDataVersions,
  type DataVersions,
  unknownVersions,
} from '../../services/api/answer-cache/data-versions.js';
import { createFollowedVersions, followChanges } from '../../services/api/answer-cache/follow-changes.js';
import type { DataChange } from '../../shared/changes/data-change.js';
import { createUnsharedChanges } from '../../shared/changes/unshared-changes.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import type { Service } from '../../shared/service/service.js';
import { shareWrites } from '../../shared/service/share-writes.js';

export interface OpenVersions {
  readonly versions: DataVersions;
  /** Raises the versions, here and in other processes. */
  onStored(changes: Iterable<DataChange>): void;
}

/** The versions of the stored data. Call this before the first write. */
export async function openVersions(service: Service, log: EventLog): Promise<OpenVersions> {
  const { config, newId, now } = service;
  // Only this process writes to its child engine.
  if (config.CLICKHOUSE_URL === undefined) {
    const versions = createDataVersions(now);
    return { versions, onStored: versions.raise };
  }
  // Other processes may write to a server. They share their changes over the brokers.
  if (config.KAFKA_BROKERS === undefined) return { versions: unknownVersions, onStored() {} };
  const unshared = createUnsharedChanges(newId(), now);
  const followed = createFollowedVersions(unshared.writerId, service);
  followChanges(service, { log, followed });
  await shareWrites(service, { log, unshared });
  return { versions: followed.versions, onStored: unshared.add };
}

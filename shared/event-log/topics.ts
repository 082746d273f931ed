import { DAY_MS, HOUR_MS } from '../durations.js';

/** The topics of the event log (event-log.ts). The form of a record is `shared/schemas/<topic>.v1.avsc`. */

export interface TopicDefinition {
  readonly name: string;
  /** `null`: as configured (EVENT_LOG_PARTITIONS). */
  readonly partitions: number | null;
  /** Age at which a record may be deleted; `null`: kept for ever. */
  readonly retentionMs: number | null;
  /**
   * Brokers keep only the last value of each key, within about a day. The embedded log keeps all values: it is
   * rewritten instead.
   */
  readonly compacted?: true;
}

export const topics = {
  'requests.raw': { name: 'requests.raw', partitions: null, retentionMs: 7 * DAY_MS },
  'requests.dead': { name: 'requests.dead', partitions: 1, retentionMs: 30 * DAY_MS },
  // By website: the owner of its partition in the detector learns which intervals have new requests. They are
  // irrelevant after two days.
  'requests.stored': { name: 'requests.stored', partitions: null, retentionMs: 2 * DAY_MS },
  // Only the last value of each key is kept: overwritten ones are deleted from disk.
  'control.keys': { name: 'control.keys', partitions: 1, retentionMs: null, compacted: true },
  'control.events': { name: 'control.events', partitions: 1, retentionMs: null },
  // Replicas of the jobs service share its partitions: a website belongs to the owner of its key's partition.
  jobs: { name: 'jobs', partitions: null, retentionMs: 7 * DAY_MS },
  // By website: detected alerts, for all services that send them.
  alerts: { name: 'alerts', partitions: null, retentionMs: 30 * DAY_MS },
  // Limits count by the hour: a starting replica reads the present hour.
  usage: { name: 'usage', partitions: 1, retentionMs: 2 * HOUR_MS },
  // Outcomes of uploads: a starting API process reads the last day.
  uploads: { name: 'uploads', partitions: 1, retentionMs: 25 * HOUR_MS },
  // Changes of stored data: a starting API process reads them to know all writers.
  changes: { name: 'changes', partitions: 1, retentionMs: HOUR_MS },
} as const satisfies Record<string, TopicDefinition>;

export type TopicName = keyof typeof topics;

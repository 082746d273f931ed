import { DAY_MS, HOUR_MS } from '../durations.js';

/** The topics of the event log (event-log.ts). */

export interface TopicDefinition {
  readonly name: string;
  /** `null`: as configured (EVENT_LOG_PARTITIONS). */
  readonly partitions: number | null;
  /** Age at which a record may go; `null`: kept for ever. */
  readonly retentionMs: number | null;
  /** Brokers keep the last value of each key alone, within a day or so. The embedded log keeps all: it is rewritten instead. */
  readonly compacted?: true;
}

export const topics = {
  'requests.raw': { name: 'requests.raw', partitions: null, retentionMs: 7 * DAY_MS },
  'requests.dead': { name: 'requests.dead', partitions: 1, retentionMs: 30 * DAY_MS },
  // By website: the owner of its partition in the detector reads which time has new requests. After two days they are no news.
  'requests.stored': { name: 'requests.stored', partitions: null, retentionMs: 2 * DAY_MS },
  // Only the last value of each key is kept: what is written over goes from the disk.
  'control.keys': { name: 'control.keys', partitions: 1, retentionMs: null, compacted: true },
  'control.events': { name: 'control.events', partitions: 1, retentionMs: null },
  // Its partitions are what replicas of the jobs service share: a website belongs to the owner of its key's partition.
  jobs: { name: 'jobs', partitions: null, retentionMs: 7 * DAY_MS },
  // By website: what was found, for all who tell it on.
  alerts: { name: 'alerts', partitions: null, retentionMs: 30 * DAY_MS },
  // Limits are by the hour: a replica that starts reads the present one back.
  usage: { name: 'usage', partitions: 1, retentionMs: 2 * HOUR_MS },
  // How uploads ended: a process of the API that starts reads the last day back.
  uploads: { name: 'uploads', partitions: 1, retentionMs: 25 * HOUR_MS },
} as const satisfies Record<string, TopicDefinition>;

export type TopicName = keyof typeof topics;

/** The topics of the event log (ARCHITECTURE.md "The event log"). */

const DAY_MS = 86_400_000;

export interface TopicDefinition {
  readonly name: string;
  /** `null`: as configured (EVENT_LOG_PARTITIONS). */
  readonly partitions: number | null;
  /** Age at which a record may go; `null`: kept for ever. */
  readonly retentionMs: number | null;
}

export const topics = {
  'requests.raw': { name: 'requests.raw', partitions: null, retentionMs: 7 * DAY_MS },
  'requests.dead': { name: 'requests.dead', partitions: 1, retentionMs: 30 * DAY_MS },
  'control.events': { name: 'control.events', partitions: 1, retentionMs: null },
} as const satisfies Record<string, TopicDefinition>;

export type TopicName = keyof typeof topics;

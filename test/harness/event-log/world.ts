import type { EventLog, LogRecord } from '../../../shared/event-log/event-log.js';
import type { TopicName } from '../../../shared/event-log/topics.js';
import type { Reader } from './reader.js';

/** Shared by the parts of the suite: the log under test, and its timeouts. */
export interface World {
  readonly log: EventLog;
  /** Closes the log and opens it again on its data. */
  reopen(): Promise<void>;
  /** Repeats the check until it passes or the patience ends. */
  eventually<T>(check: () => T | Promise<T>): Promise<T>;
  /** Waits long enough for an event that must not occur. */
  quiet(): Promise<unknown>;
  reader(group: string, topic?: TopicName): Reader;
  readonly patienceMs: number;
}

export const RAW: TopicName = 'requests.raw';
/** A topic of one partition. */
export const CONTROL: TopicName = 'control.events';

export function records(key: string, count: number) {
  return Array.from({ length: count }, (_, i) => ({ key, value: Buffer.from(`${key} ${i}`) }));
}

/** Records of many keys, so that every partition gets some. */
export function spread(count: number, label = '') {
  return Array.from({ length: count }, (_, i) => ({ key: `key-${i}`, value: Buffer.from(`${label} ${i}`) }));
}

export function distinct(seen: readonly LogRecord[]): number {
  return new Set(seen.map(({ partition, offset }) => `${partition}/${offset}`)).size;
}

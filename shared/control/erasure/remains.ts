import { DAY_MS } from '../../durations.js';
import type { EventLog } from '../../event-log/event-log.js';
import { type TopicName, topics } from '../../event-log/topics.js';
import type { FileStore } from '../../files/file-store.js';
import { EXPORT_KEPT_MS } from '../aggregates/export.js';
import { filesThatRemain } from './erase-files.js';
import type { ErasureSubject } from './subject.js';

/** A copy that nobody can take out: until when it may stand. */
export interface Remains {
  readonly topic: TopicName | 'files';
  /** ISO 8601; null: for ever. */
  readonly until: string | null;
  readonly what: string;
}

/** Half a day until the segment is closed and half a day until the brokers have compacted it, at most (ensure-topics.ts). */
const COMPACTED_MS = DAY_MS;

interface Copies {
  readonly log: Pick<EventLog, 'rewrite'>;
  readonly files?: FileStore | null | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Copies of a subject that an erasure leaves. */
export function remainsOf(subject: ErasureSubject, options: Copies): Remains[] {
  const inFiles =
    subject.kind === 'address' ? filesThatRemain(options.files ?? null, options.now(), EXPORT_KEPT_MS) : [];
  return [...inLog(subject, options), ...inFiles];
}

function inLog({ kind }: ErasureSubject, { log, now }: Copies): Remains[] {
  if (log.rewrite !== undefined) return [];
  const at = (ms: number) => new Date(now() + ms).toISOString();
  const sent = (['requests.raw', 'requests.dead'] as const).map(
    (topic): Remains => ({ topic, until: at(topics[topic].retentionMs), what: 'what was sent' }),
  );
  const found = (['requests.signals', 'alerts'] as const).map(
    (topic): Remains => ({ topic, until: at(topics[topic].retentionMs), what: 'what was found in it' }),
  );
  if (kind === 'user') return [{ topic: 'control.events', until: null, what: 'the e-mail address, sealed' }];
  if (kind !== 'organisation') return [...sent, ...found];
  return [
    ...sent,
    ...found,
    { topic: 'control.keys', until: at(COMPACTED_MS), what: 'the key of what was sealed' },
  ];
}

import { EXPORT_KEPT_MS } from '../../../shared/control/exports/export.js';
import { DAY_MS } from '../../../shared/durations.js';
import { type TopicName, topics } from '../../../shared/event-log/topics.js';
import type { StoredData } from './stored-data.js';
import type { ErasureSubject } from './subject.js';

/** A copy that can't be erased, with its expiry. */
export interface Remains {
  readonly topic: TopicName | 'files';
  /** ISO 8601; null: it does not expire. */
  readonly until: string | null;
  readonly what: string;
}

/** At most half a day until the segment is closed, and half a day until the brokers have compacted it (ensure-topics.ts). */
const COMPACTED_MS = DAY_MS;

type Copies = Pick<StoredData, 'log' | 'files' | 'now'>;

/** Copies of a subject that an erasure leaves. */
export function remainsOf(subject: ErasureSubject, options: Copies): Remains[] {
  const inFiles = subject.kind === 'address' && options.files ? filesOfAddress(options.now()) : [];
  return [...inLog(subject, options), ...inFiles];
}

/** Files that keep an address, since rows in files are not rewritten. */
function filesOfAddress(now: number): Remains[] {
  const until = new Date(now + EXPORT_KEPT_MS).toISOString();
  return [
    { topic: 'files', until, what: 'exports and reports created before' },
    {
      topic: 'files',
      until: null,
      what: 'stored days of export schedules; the last seven days are stored again without it within hours',
    },
  ];
}

function inLog({ kind }: ErasureSubject, { log, now }: Copies): Remains[] {
  if (log.rewrite !== undefined) return [];
  const at = (ms: number) => new Date(now() + ms).toISOString();
  const sent = (['requests.raw', 'requests.dead'] as const).map(
    (topic): Remains => ({ topic, until: at(topics[topic].retentionMs), what: 'the uploads' }),
  );
  const found: Remains = {
    topic: 'alerts',
    until: at(topics.alerts.retentionMs),
    what: 'the findings',
  };
  const order: Remains = {
    topic: 'requests.stored',
    until: at(topics['requests.stored'].retentionMs),
    what: 'the order to detectors to forget the address',
  };
  if (kind === 'user') return [{ topic: 'control.events', until: null, what: 'the e-mail address, sealed' }];
  if (kind === 'website') return [...sent, found];
  if (kind === 'address') return [...sent, found, order];
  return [
    ...sent,
    found,
    { topic: 'control.keys', until: at(COMPACTED_MS), what: 'the key of the sealed records' },
  ];
}

import { EXPORT_KEPT_MS } from '../../../shared/control/exports/export.js';
import { DAY_MS } from '../../../shared/durations.js';
import { type TopicName, topics } from '../../../shared/event-log/topics.js';
import type { StoredData } from './stored-data.js';
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

type Copies = Pick<StoredData, 'log' | 'files' | 'now'>;

/** Copies of a subject that an erasure leaves. */
export function remainsOf(subject: ErasureSubject, options: Copies): Remains[] {
  const inFiles = subject.kind === 'address' && options.files ? filesOfAddress(options.now()) : [];
  return [...inLog(subject, options), ...inFiles];
}

/** What files keep of an address: they are not rewritten row by row. */
function filesOfAddress(now: number): Remains[] {
  const until = new Date(now + EXPORT_KEPT_MS).toISOString();
  return [
    { topic: 'files', until, what: 'exports and reports that were made before' },
    {
      topic: 'files',
      until: null,
      what: 'days that were stored by a schedule; those of the last seven are stored anew without it within hours',
    },
  ];
}

function inLog({ kind }: ErasureSubject, { log, now }: Copies): Remains[] {
  if (log.rewrite !== undefined) return [];
  const at = (ms: number) => new Date(now() + ms).toISOString();
  const sent = (['requests.raw', 'requests.dead'] as const).map(
    (topic): Remains => ({ topic, until: at(topics[topic].retentionMs), what: 'what was sent' }),
  );
  const found: Remains = {
    topic: 'alerts',
    until: at(topics.alerts.retentionMs),
    what: 'what was found in it',
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
    { topic: 'control.keys', until: at(COMPACTED_MS), what: 'the key of what was sealed' },
  ];
}

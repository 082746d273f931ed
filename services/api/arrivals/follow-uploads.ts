import { SECOND_MS } from '../../../shared/durations.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { inTime } from '../../../shared/pacing/in-time.js';
import type { Service } from '../../../shared/service/service.js';
import { followTopic } from '../../../shared/service/share-over-topic.js';
import { decodeUploads } from '../../../shared/uploads/uploads-codec.js';
import type { KnownUploads } from './known-uploads.js';

/** Opening a tail may hang if the log is unavailable. */
const LAST_MS = 2_000;

/** Reads the upload records of ingest until the process stops. Nothing waits for it: earlier uploads are known moments after a start. */
export function followUploads(
  { now, logger, onStop }: Pick<Service, 'now' | 'logger' | 'onStop'>,
  { log, uploads }: { readonly log: EventLog; readonly uploads: KnownUploads },
): void {
  const ending = new AbortController();
  const hearing = followTopic(
    { topic: 'uploads', log, logger, stopping: ending.signal, retryMs: SECOND_MS },
    { take: (value) => uploads.merge(decodeUploads(value), now()), onCaughtUp() {} },
  );
  onStop(async () => {
    ending.abort();
    await inTime(hearing, LAST_MS, undefined);
  });
}

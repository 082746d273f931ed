import { SECOND_MS } from '../../../shared/durations.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { inTime } from '../../../shared/pacing/in-time.js';
import type { Service } from '../../../shared/service/service.js';
import { publishToTopic } from '../../../shared/service/share-over-topic.js';
import { encodeUploads } from '../../../shared/uploads/uploads-codec.js';
import type { Outcomes } from './collect-outcomes.js';

/** Longest wait for the last record when the process stops, because the log may be away. */
const LAST_MS = 2_000;
const NEWS_MS = 250;

/** Publishes outcomes of uploads to the topic `uploads`, until the process stops. */
export function publishOutcomes(
  { logger, onStop }: Pick<Service, 'logger' | 'onStop'>,
  { log, outcomes }: { readonly log: EventLog; readonly outcomes: Outcomes },
): void {
  const ending = new AbortController();
  const publishing = publishToTopic(
    { topic: 'uploads', log, logger, stopping: ending.signal, retryMs: SECOND_MS },
    {
      next: outcomes.due,
      encode: (record) => ({ key: record.replicaId, value: encodeUploads(record) }),
      onPublished: outcomes.markReported,
      // The API reports pending lines as soon as it knows of their upload.
      intervalMs: NEWS_MS,
    },
  );
  onStop(async () => {
    ending.abort();
    await inTime(publishing, LAST_MS, undefined);
  });
}

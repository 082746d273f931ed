import type { Registry } from 'prom-client';
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { NOTIFICATIONS_GROUP } from '../../../shared/event-log/consumer-groups.js';
import { type Consumer, type EventLog, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { lagOf } from '../../../shared/event-log/lag.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { NewDelivery } from '../../../shared/reads/notifications/notification-deliveries.js';
import type { NotReady } from '../../../shared/service/readiness.js';
import { type Assignment, type Assignments, createAssignments } from '../runner/assignments.js';
import { createLateCommits } from './commit-behind.js';
import { createAlertConsumer } from './consume-alerts.js';
import { createDispatcher, type DispatcherOptions } from './dispatch-deliveries.js';
import { createSummaries, type SummaryOptions } from './imports/queue-summaries.js';
import type { Audience } from './messages/make-deliveries.js';
import { createNotificationMetrics } from './notification-metrics.js';
import type { QueuerOptions } from './queue-deliveries.js';
import { createDigests, type DigestOptions } from './queue-digests.js';

const TOPIC = 'alerts';
/** Retries, and deliveries that the operator queued again, are found within it. */
const SCAN_MS = 15 * SECOND_MS;
const DIGEST_MS = MINUTE_MS;
/** Also the delay before the first summary: by then a new owner has read the waiting alerts. */
const SUMMARY_MS = MINUTE_MS;
const COMMIT_MS = 10 * SECOND_MS;
/** The operator may add partitions. */
const PARTITIONS_MS = MINUTE_MS;
/** Alerts that wait longer for the store are reported by readiness. */
const STUCK_AFTER_MS = MINUTE_MS;
export interface NotificationsOptions
  extends Pick<QueuerOptions, 'readTraces' | 'readQueued'>,
    Pick<DispatcherOptions, 'readDue' | 'read' | 'send' | 'record'>,
    Pick<DigestOptions, 'readAlerts'>,
    Pick<SummaryOptions, 'readImporting' | 'readWaiting' | 'readSummarised' | 'recordAll'> {
  readonly log: EventLog;
  readonly queue: (deliveries: readonly NewDelivery[]) => Promise<void>;
  /** All websites, also those of other replicas. */
  readonly websiteIds: () => Iterable<string>;
  /** undefined: the website is gone. */
  readonly audienceOf: (websiteId: string) => Audience | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  readonly registry: Registry;
  onCrash(error: Error): void;
}

export interface Notifications {
  /** A reason if alerts have waited for the store for more than a minute. */
  notReady(): NotReady;
  /** Ends the attempts in progress and leaves the consumer group. */
  stop(): Promise<void>;
}

/**
 * Sends messages about alerts to people and programs. The consumer group on `alerts` gives each website one owner among all replicas. The owner queues
 * and sends the messages, and queues the website's digests. The queue is stored in ClickHouse, so the next owner continues from it.
 */
export async function startNotifications(options: NotificationsOptions): Promise<Notifications> {
  const { log, logger, audienceOf, now } = options;
  const assignments = createAssignments((await log.offsets(TOPIC)).size);
  const ownAudienceOf = (websiteId: string) =>
    assignments.ofWebsite(websiteId) === undefined ? undefined : audienceOf(websiteId);
  const commits = createLateCommits(now);
  const alerts = createAlertConsumer({ ...options, commits, onQueued: () => void scan() });
  const dispatcher = createDispatcher({
    ...options,
    assignmentOf: assignments.ofWebsite,
    isKnown: (websiteId) => audienceOf(websiteId) !== undefined,
    metrics: createNotificationMetrics(
      options.registry,
      () => ({
        running: dispatcher.running(),
        waiting: dispatcher.waiting(),
        stuckSeconds: alerts.stuckMs() / SECOND_MS,
      }),
      () => lagOf(log, TOPIC, NOTIFICATIONS_GROUP),
    ),
  });
  const queueDigests = createDigests({
    ...options,
    *audiences() {
      for (const id of options.websiteIds()) {
        const audience = ownAudienceOf(id);
        if (audience !== undefined) yield audience;
      }
    },
  });
  const queueSummaries = createSummaries({
    ...options,
    audienceOf: ownAudienceOf,
    onQueued: () => void scan(),
  });
  const scan = () =>
    dispatcher.scan().catch((error: unknown) => {
      logger.warn({ err: error }, 'due deliveries cannot be read yet');
    });

  async function leave(assignment: Assignment | undefined, isLost = false): Promise<void> {
    if (assignment !== undefined && assignments.remove(assignment))
      await dispatcher.leave(assignment, isLost);
  }

  const consuming: Promise<Consumer> = log.consume({
    topic: TOPIC,
    group: NOTIFICATIONS_GROUP,
    async onAssigned(partition, _committed, lost) {
      const assignment = assignments.add(partition);
      assignment.isReady = true;
      lost.addEventListener('abort', () => void leave(assignment, true), { once: true });
      void scan();
    },
    onRevoked: (partition) => leave(assignments.of(partition)),
    async onRecords(partition, records) {
      const assignment = assignments.of(partition);
      if (assignment !== undefined) await alerts.take(assignment, records);
    },
    onCrash: options.onCrash,
  });
  const consumer = await consuming;

  const commitDue = () => {
    for (const { partition, offset } of commits.due()) void commit(consumer, partition, offset, logger);
  };
  const timers = [
    setInterval(scan, SCAN_MS),
    setInterval(queueDigests, DIGEST_MS),
    setInterval(queueSummaries, SUMMARY_MS),
    setInterval(commitDue, COMMIT_MS),
    setInterval(() => followPartitions(log, assignments, logger), PARTITIONS_MS),
  ];
  return {
    notReady: () =>
      alerts.stuckMs() <= STUCK_AFTER_MS
        ? null
        : 'queued alerts have waited for ClickHouse for more than a minute',
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(assignments.all().map((each) => leave(each)));
      await consumer.stop();
    },
  };
}

async function commit(consumer: Consumer, partition: number, offset: number, logger: Logger): Promise<void> {
  try {
    await consumer.commit(partition, { offset, metadata: '' });
  } catch (error) {
    // The next commit includes this one. Without any, the records are read again, which changes nothing.
    if (!(error instanceof StaleAssignmentError))
      logger.warn({ err: error, partition }, 'alerts not committed');
  }
}

/** Websites change partitions when the operator adds some. */
async function followPartitions(log: EventLog, assignments: Assignments, logger: Logger): Promise<void> {
  try {
    assignments.setCount((await log.offsets(TOPIC)).size);
  } catch (error) {
    logger.warn({ err: error }, 'the partitions of alerts cannot be counted');
  }
}

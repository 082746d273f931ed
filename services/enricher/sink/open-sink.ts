import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Commit, LogRecord } from '../../../shared/event-log/event-log.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import { createLineLimit } from '../../../shared/logging/line-limit.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { createDeadLetters } from './dead-letter.js';
import type { EnricherDependencies } from './dependencies.js';
import type { createEnricherMetrics } from './enricher-metrics.js';
import { createPartitionSink, type PartitionSink } from './partition-sink.js';
import { encodeRecords } from './range/encode-records.js';
import { requestColumns } from './range/encode-rows.js';
import { createRangeHold } from './range/hold-range.js';
import { leaveOut, startRange } from './range/prepare-range.js';
import { createKnownBlocks } from './range/repeated-blocks.js';
import { leastRangeWeight } from './range-queue.js';
import { createRangeSteps, type RangeStepDependencies } from './range-steps/all-range-steps.js';
import type { Insertion, InsertRangeDependencies } from './range-steps/insert-range.js';
import { createStoreAttempts } from './range-steps/store-attempts.js';
import { plainRecord, trialPlace } from './trial-rows.js';

/**
 * Concurrent inserts over all partitions of an enricher. While a partition waits, its next range grows, so
 * that a busy store gets few large parts instead of many small ones.
 */
const INSERTS_AT_ONCE = 2;
const ANSWER_TIMEOUT_MS = 5_000;

export interface SinkOptions {
  readonly partition: number;
  readonly committed: Commit | null;
  readonly lost: AbortSignal;
  commit(commit: Commit): Promise<void>;
}

/** Connects the sinks of one enricher with the log, the store and the metrics. */
export function createSinkOpener(
  deps: EnricherDependencies,
  metrics: ReturnType<typeof createEnricherMetrics>,
): (options: SinkOptions) => PartitionSink {
  const { clickhouse, config, log, logger } = deps;
  const inserts = createLimiter({ most: INSERTS_AT_ONCE });
  const memory = createKnownBlocks(clickhouse);
  // While the log accepts no arrivals, each range of each partition has such an error. The omitted lines are
  // counted.
  const dropLines = createLineLimit({ linesPerMinute: 1, mostSubjects: 1, now: deps.now, onLeftOut() {} });
  const onArrivalsDropped: RangeStepDependencies['onArrivalsDropped'] = (error, { token, websites }) => {
    metrics.droppedArrivals.inc(websites);
    const line = dropLines.admit('dropped');
    if (line === null) return;
    logger.error(
      { err: error, token, websites, ...line },
      'arrivals of a range are dropped: the detector may not evaluate its intervals',
    );
  };
  const limits = {
    maxRows: config.ENRICHER_BATCH_ROWS,
    leastWeight: leastRangeWeight(config.ENRICHER_BATCH_ROWS),
    maxBytes: config.ENRICHER_BATCH_BYTES,
    lingerMs: config.ENRICHER_BATCH_LINGER_MS,
  };
  const insert: InsertRangeDependencies['insert'] = ({ body, token, changes = [] }, lost) =>
    inserts
      .run('', () => metrics.timeInsert(() => insertRequests(clickhouse, { body, token }, lost)), lost)
      .finally(() => deps.onStored?.(changes));

  return ({ partition, committed, lost, commit }) => {
    const deadLetter = createDeadLetters(partition, {
      log,
      onDead({ record: { offset }, reason }) {
        logger.error({ partition, offset, reason }, 'record moved to requests.dead');
        metrics.deadRecords.inc();
      },
    });
    return createPartitionSink(committed, {
      limits,
      startRange: (plan, mostRows) => startRange(plan, mostRows, deps),
      commit,
      createSteps(stopping) {
        const hold = createRangeHold({ commit, lost, stopping });
        return createRangeSteps({
          memory,
          hold,
          log,
          now: deps.now,
          attempts: createStoreAttempts({ hold, answers: () => answers(clickhouse) }),
          insert,
          deadLetter,
          leaveOut: (range, offsets) => leaveOut(range, offsets, deps),
          encodeTrial: (records) => encodeTrial(records, deps),
          plainRecord: () => plainRecord(deps.now()),
          lost,
          onInsertFailure(error, { token, rows, retryInMs }) {
            metrics.insertRetries.inc();
            warnLimited(logger, { err: error, token, rows, retry_in_ms: retryInMs }, 'insert failed');
          },
          onKnownBlocksFailure: (error, retryInMs) =>
            warnLimited(logger, { err: error, partition, retry_in_ms: retryInMs }, 'repeated blocks unknown'),
          onArrivalFailure: (error, retryInMs) =>
            warnLimited(logger, { err: error, partition, retry_in_ms: retryInMs }, 'arrivals not sent'),
          onArrivalsDropped,
          onForgotten(refused) {
            for (const { record, reason } of refused)
              logger.error(
                { partition, offset: record.offset, reason },
                'a stored block cannot be remembered: if it is sent again, it counts again',
              );
          },
        });
      },
      onWritten(range) {
        deps.onDone?.(partition, range.plan.last);
        metrics.droppedPeople.inc(range.dropped);
        if (range.rows === 0) return;
        metrics.rows.inc(range.rows);
        metrics.rangeRows.observe(range.rows);
        metrics.freshness.observe((deps.now() - range.receivedAt) / 1000);
      },
      onVoid: ({ first, last }) =>
        logger.warn({ partition, first, last }, 'a plan is void; the remaining records are planned again'),
      onCrash: deps.onCrash,
    });
  };
}

async function insertRequests(
  clickhouse: Pick<ClickHouse, 'insert'>,
  { body, token }: Pick<Insertion, 'body' | 'token'>,
  signal: AbortSignal,
): Promise<void> {
  await clickhouse.insert({
    table: 'requests',
    columns: requestColumns,
    rows: body,
    format: 'Native',
    deduplicationToken: token,
    signal,
  });
}

async function encodeTrial(
  records: readonly LogRecord[],
  deps: EnricherDependencies,
): Promise<Insertion | null> {
  const { body, rows } = await encodeRecords(records, { ...deps, placeOf: trialPlace });
  // The engine would drop a trial with a known token without reading it.
  return rows === 0 ? null : { body, rows, token: `trial/${randomUUID()}` };
}

async function answers(clickhouse: ClickHouse): Promise<boolean> {
  try {
    await clickhouse.read({
      name: 'enricher.answers',
      sql: 'SELECT 1',
      params: {},
      row: z.unknown(),
      timeoutMs: ANSWER_TIMEOUT_MS,
    });
    return true;
  } catch {
    return false;
  }
}

import type { Registry } from 'prom-client';
import type { ClickHouse } from '../../shared/clickhouse/client.js';
import type { Config } from '../../shared/config.js';
import type { Consumer, EventLog } from '../../shared/event-log/event-log.js';
import type { Logger } from '../../shared/log.js';
import { encodeDeadEntry } from '../../shared/requests/dead-record.js';
import type { Enrichment } from '../../shared/requests/enriched-request.js';
import type { RawBlock, RawRequest } from '../../shared/requests/raw-request.js';
import { createEnricherMetrics } from './metrics.js';
import { createRangeInserter } from './sink/insert-range.js';
import { createPartitionSink, type PartitionSink } from './sink/partition-sink.js';
import { prepareRange } from './sink/prepare-range.js';

/** Name of the consumer group; its commits hold the plans (sink/EXACTLY-ONCE.md). */
export const ENRICHER_GROUP = 'enricher';

export interface EnricherDependencies {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  enrich(block: RawBlock, request: RawRequest): Enrichment;
  /** Days that rows of the website are kept, by its organisation's plan. */
  retentionDays(websiteId: string): number;
  isErased?(websiteId: string): boolean;
  readonly config: Pick<Config, 'ENRICHER_BATCH_ROWS' | 'ENRICHER_BATCH_LINGER_MS'>;
  now(): number;
  readonly logger: Logger;
  readonly registry: Registry;
  /** So many requests more are stored, or dead. */
  onDone?(requests: number): void;
  /** The service can't go on; the process should exit and be started again. */
  onCrash(error: Error): void;
}

export interface EnricherService {
  /** Finishes the running ranges, commits them, leaves the group. */
  stop(): Promise<void>;
}

/** Consumes `requests.raw` and keeps the table `requests`, and with it every rollup, up to date. */
export async function startEnricher(deps: EnricherDependencies): Promise<EnricherService> {
  const { log, clickhouse, config, logger } = deps;
  const sinks = new Map<number, PartitionSink>();
  const metrics = createEnricherMetrics(deps.registry, () => lagOf(log, sinks.keys()));
  const insertRange = createRangeInserter(clickhouse, logger, () => metrics.insertRetries.inc());
  const stopping = new AbortController();

  // A sink commits through it, but never before the first record, which comes after `consume` has returned.
  const consuming: Promise<Consumer> = log.consume({
    topic: 'requests.raw',
    group: ENRICHER_GROUP,
    async onAssigned(partition, committed) {
      sinks.set(
        partition,
        createPartitionSink(committed, {
          limits: { maxRows: config.ENRICHER_BATCH_ROWS, lingerMs: config.ENRICHER_BATCH_LINGER_MS },
          prepare: (records) => prepareRange(records, deps),
          commit: async (commit) => (await consuming).commit(partition, commit),
          insert: (range) => metrics.timeInsert(() => insertRange(range, stopping.signal)),
          async bury(dead) {
            for (const { record, reason } of dead) {
              logger.error({ partition, offset: record.offset, reason }, 'record moved to requests.dead');
            }
            metrics.deadRecords.inc(dead.length);
            await log.append(
              'requests.dead',
              dead.map(({ record: { key, offset, value }, reason }) => ({
                key,
                value: encodeDeadEntry({
                  kind: 'dead',
                  topic: 'requests.raw',
                  partition,
                  offset,
                  reason,
                  value,
                }),
              })),
            );
          },
          onWritten(range) {
            deps.onDone?.(range.requests);
            if (range.rows === 0) return;
            metrics.rows.inc(range.rows);
            metrics.rangeRows.observe(range.rows);
            metrics.freshness.observe((deps.now() - range.receivedAt) / 1000);
          },
          onCrash: deps.onCrash,
        }),
      );
    },
    async onRevoked(partition) {
      await sinks.get(partition)?.stop();
      sinks.delete(partition);
    },
    onRecords: (partition, records) => sinks.get(partition)?.push(records) ?? Promise.resolve(),
    onCrash: deps.onCrash,
  });

  const consumer = await consuming;

  return {
    async stop() {
      stopping.abort();
      await Promise.all([...sinks.values()].map((sink) => sink.stop()));
      await consumer.stop();
    },
  };
}

/** Records between the commit of each partition and its end. */
async function lagOf(log: EventLog, partitions: Iterable<number>): Promise<Map<number, number>> {
  const owned = [...partitions];
  if (owned.length === 0) return new Map();
  const [ends, commits] = await Promise.all([
    log.offsets('requests.raw'),
    log.committed('requests.raw', ENRICHER_GROUP),
  ]);
  return new Map(
    owned.map((partition) => {
      const { oldest, next } = ends.get(partition) ?? { oldest: 0, next: 0 };
      return [partition, next - (commits.get(partition)?.offset ?? oldest)];
    }),
  );
}

import type { Registry } from 'prom-client';
import type { ClickHouse } from '../../shared/clickhouse/client.js';
import type { Config } from '../../shared/config.js';
import type { Commit, Consumer, EventLog } from '../../shared/event-log/event-log.js';
import type { Logger } from '../../shared/log.js';
import type { Enrichment } from '../../shared/requests/enriched-request.js';
import type { RawBlock, RawRequest } from '../../shared/requests/raw-request.js';
import { lagOf } from './lag.js';
import { createEnricherMetrics } from './metrics.js';
import { createSinkOpener } from './sink/open-sink.js';
import type { PartitionSink } from './sink/partition-sink.js';
import { watchRanges } from './watch-ranges.js';

/** Name of the consumer group; its commits hold the plans (sink/EXACTLY-ONCE.md). */
export const ENRICHER_GROUP = 'enricher';

export interface EnricherDependencies {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  enrich(block: RawBlock, request: RawRequest): Enrichment;
  /** Days that rows of the website are kept, by its organisation's plan. */
  retentionDays(websiteId: string): number;
  readonly config: Pick<Config, 'ENRICHER_BATCH_ROWS' | 'ENRICHER_BATCH_BYTES' | 'ENRICHER_BATCH_LINGER_MS'>;
  now(): number;
  readonly logger: Logger;
  readonly registry: Registry;
  /** So many requests more are stored, or dead. */
  onDone?(requests: number): void;
  /** The service can't go on; the process should exit and be started again. */
  onCrash(error: Error): void;
}

export interface EnricherService {
  /** Since the oldest range was planned that is not done yet; 0: none waits. Past STUCK_AFTER_MS it needs a person. */
  stuckSeconds(): number;
  /** Finishes the running ranges, commits them, leaves the group. */
  stop(): Promise<void>;
}

/** Consumes `requests.raw` and keeps the table `requests`, and with it every rollup, up to date. */
export async function startEnricher(deps: EnricherDependencies): Promise<EnricherService> {
  const { log, logger } = deps;
  const sinks = new Map<number, PartitionSink>();
  const watch = watchRanges({
    *planned() {
      for (const [partition, sink] of sinks) yield [partition, sink.plannedAt()];
    },
    now: deps.now,
    logger,
  });
  const metrics = createEnricherMetrics(
    deps.registry,
    () => lagOf(log, ENRICHER_GROUP, sinks.keys()),
    watch.stuckSeconds,
  );
  const openSink = createSinkOpener(deps, metrics);

  // A sink commits through it, but never before the first record, which comes after `consume` has returned.
  const consuming: Promise<Consumer> = log.consume({
    topic: 'requests.raw',
    group: ENRICHER_GROUP,
    async onAssigned(partition, committed, lost) {
      const commit = async (one: Commit) => (await consuming).commit(partition, one);
      sinks.set(partition, openSink({ partition, committed, lost, commit }));
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
    stuckSeconds: watch.stuckSeconds,
    async stop() {
      watch.stop();
      await Promise.all([...sinks.values()].map((sink) => sink.stop()));
      await consumer.stop();
    },
  };
}

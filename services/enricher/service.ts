import { ENRICHER_GROUP } from '../../shared/event-log/consumer-groups.js';
import type { Commit, Consumer } from '../../shared/event-log/event-log.js';
import type { EnricherDependencies } from './dependencies.js';
import { lagOf } from './lag.js';
import { createEnricherMetrics } from './metrics.js';
import { createSinkOpener } from './sink/open-sink.js';
import type { PartitionSink } from './sink/partition-sink.js';
import { watchRanges } from './watch-ranges.js';

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

import { ENRICHER_GROUP } from '../../shared/event-log/consumer-groups.js';
import type { Commit, Consumer } from '../../shared/event-log/event-log.js';
import { lagOf } from '../../shared/event-log/lag.js';
import type { EnricherDependencies } from './sink/dependencies.js';
import { createEnricherMetrics } from './sink/enricher-metrics.js';
import { createSinkOpener } from './sink/open-sink.js';
import type { PartitionSink } from './sink/partition-sink.js';
import { watchRanges } from './watch-ranges.js';

export interface EnricherService {
  /**
   * Age of the oldest planned range that is not done yet, in seconds; 0: none waits. Above STUCK_AFTER_MS it
   * needs a person.
   */
  stuckSeconds(): number;
  /**
   * Finishes the running ranges, commits them, and leaves the group. A range that is not done when `drained`
   * fires stays planned in the log, and its next owner stores it.
   */
  stop(): Promise<void>;
}

/** Consumes `requests.raw` and writes the table `requests` with all rollups. */
export async function startEnricher(deps: EnricherDependencies): Promise<EnricherService> {
  const { log, logger, drained = new AbortController().signal } = deps;
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
    () => lagOf(log, 'requests.raw', ENRICHER_GROUP),
    () => sinks.keys(),
    watch.stuckSeconds,
  );
  const openSink = createSinkOpener(deps, metrics);

  const whenDrained = new Promise<void>((resolve) => {
    if (drained.aborted) resolve();
    else drained.addEventListener('abort', () => resolve(), { once: true });
  });

  async function endSink(partition: number): Promise<void> {
    await Promise.race([sinks.get(partition)?.stop(), whenDrained]);
  }

  // Sinks commit through it, but never before the first record, which arrives after `consume` has returned.
  const consuming: Promise<Consumer> = log.consume({
    topic: 'requests.raw',
    group: ENRICHER_GROUP,
    async onAssigned(partition, committed, lost) {
      const commit = async (one: Commit) => (await consuming).commit(partition, one);
      // A range that the sink must leave is treated like a lost one: its running insert ends.
      sinks.set(
        partition,
        openSink({ partition, committed, lost: AbortSignal.any([lost, drained]), commit }),
      );
    },
    async onRevoked(partition) {
      await endSink(partition);
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
      await Promise.all([...sinks.keys()].map(endSink));
      for (const [partition, sink] of sinks) {
        if (drained.aborted && sink.plannedAt() !== null)
          logger.warn({ partition }, 'stopped before a planned range was stored: its next owner stores it');
      }
      await consumer.stop();
    },
  };
}

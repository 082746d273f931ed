import { createShutdownHooks } from '../../../shared/service/shutdown-hooks.js';
import { operate, untilLogOpens } from '../../faults/operate.js';
import { startTestKafka } from '../../harness/kafka.js';
import { startService } from '../../harness/processes.js';
import type { BenchFolder } from '../bench-folder.js';
import { startEngine } from '../engine/with-engine.js';
import type { Pipeline } from '../pipeline/measure-rate.js';
import { createWebsitesBy } from '../pipeline/websites.js';

/** Ingest and enrichers as separate processes from dist/, on a real Kafka, with one engine as the server. */
export interface BenchCluster {
  readonly pipeline: Pipeline;
  /** Ends the processes; their data stay until the bench ends. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Number of enrichers, and of partitions. */
  readonly enrichers: number;
}

/** Memory limit of the engine, as in the single process. */
const MEMORY_BYTES = 900 * 1024 ** 2;

/** @returns null if no Kafka is available */
export async function startBenchCluster(
  folder: BenchFolder,
  { enrichers }: ClusterOptions,
): Promise<BenchCluster | null> {
  const kafka = await startTestKafka();
  if (kafka === null) return null;
  folder.atEnd(kafka.stop);
  const hooks = createShutdownHooks();
  hooks.add(async () => kafka.stopBroker?.('SIGTERM'));
  try {
    const engine = await startEngine(await folder.fresh('cluster'), MEMORY_BYTES);
    hooks.add(engine.stop);
    const environment = {
      KAFKA_BROKERS: kafka.brokers,
      KAFKA_TOPIC_PREFIX: `bench-${process.pid}-${Date.now()}.`,
      EVENT_LOG_PARTITIONS: String(enrichers),
      CLICKHOUSE_URL: engine.url,
    };
    await untilLogOpens(environment);
    const websites = await operate(environment, (operator) => createWebsitesBy(operator, 1));
    const names = Array.from({ length: enrichers }, (_, index) => `enricher-${index + 1}`);
    const running = await Promise.all(
      names.map(() => startService('enricher', environment, { built: true })),
    );
    for (const enricher of running) hooks.add(async () => void (await enricher.stop()));
    const ingest = await startService('ingest', environment, { built: true });
    hooks.add(async () => void (await ingest.stop()));
    return {
      pipeline: {
        ingestUrl: `${ingest.url}/v1/logs`,
        ingestKeys: websites.map(({ ingestKey }) => ingestKey),
        enricherUrls: running.map(({ metricsUrl }) => metricsUrl),
        processes: {
          ingest: ingest.pid,
          ...Object.fromEntries(names.map((name, index) => [name, running[index]!.pid])),
          engine: engine.pid,
          broker: kafka.pid?.() ?? Number.NaN,
        },
      },
      stop: hooks.run,
    };
  } catch (error) {
    await hooks.run();
    throw error;
  }
}

import { join } from 'node:path';
import {
  backupLines,
  readBackupPage,
  restoreControlLog,
} from '../../../deploy/admin/backup/control-backup.js';
import { openControlLog } from '../../../deploy/admin/instance/open-control-log.js';
import { loadConfig } from '../../../shared/config.js';
import { createLogger } from '../../../shared/logging/log.js';
import { createShutdownHooks } from '../../../shared/service/shutdown-hooks.js';
import { untilLogOpens } from '../../faults/operate.js';
import { startTestKafka } from '../../harness/kafka.js';
import { startService } from '../../harness/processes.js';
import { startEngine } from '../engine/with-engine.js';
import { takeLosses, watchedEnvironment } from '../pipeline/watch-thread.js';
import type { BenchWebsite } from '../pipeline/websites.js';
import type { ReadSystem } from './system.js';

/** Memory limit of the engine, as in the single process. */
const MEMORY_BYTES = 900 * 1024 ** 2;

/**
 * The distributed form on the data of a single program: one ingest, one enricher and several APIs on a real Kafka and one engine.
 * @throws Error if no Kafka is available
 */
export async function startReplicas(
  folder: string,
  websites: readonly BenchWebsite[],
  count: number,
): Promise<ReadSystem> {
  const kafka = await startTestKafka();
  if (kafka === null) throw new Error('no Kafka: neither KAFKA_BROKERS nor Java 17 with Maven');
  const hooks = createShutdownHooks();
  hooks.add(kafka.stop);
  try {
    const dataDir = join(folder, 'data');
    const engine = await startEngine(join(dataDir, 'clickhouse'), MEMORY_BYTES);
    hooks.add(engine.stop);
    // They have positions in the log of the single program.
    await engine.clickhouse.command('TRUNCATE TABLE control_snapshots');
    const environment = {
      KAFKA_BROKERS: kafka.brokers,
      KAFKA_TOPIC_PREFIX: `bench-${process.pid}-${Date.now()}.`,
      EVENT_LOG_PARTITIONS: '1',
      CLICKHOUSE_URL: engine.url,
    };
    await untilLogOpens(environment);
    await copyControlLog({ DATA_DIR: dataDir }, environment);
    const start = async (name: 'api' | 'enricher' | 'ingest', more: Record<string, string> = {}) => {
      const service = await startService(name, { ...environment, ...more }, { built: true });
      hooks.add(async () => void (await service.stop()));
      return service;
    };
    const enricher = await start('enricher');
    const ingest = await start('ingest');
    const files = Array.from({ length: count }, (_, index) => join(folder, `losses-${index}.json`));
    const apis = await Promise.all(files.map((file) => start('api', watchedEnvironment(file))));
    return {
      target: {
        apis: apis.map(({ url, metricsUrl, pid }) => ({ url, metricsUrl, pid })),
        enginePid: engine.pid,
        enricherUrls: [enricher.metricsUrl],
      },
      pipeline: {
        ingestUrl: `${ingest.url}/v1/logs`,
        ingestKeys: websites.map(({ ingestKey }) => ingestKey),
        enricherUrls: [enricher.metricsUrl],
        processes: { ingest: ingest.pid, enricher: enricher.pid, engine: engine.pid },
      },
      async takeLongestPause() {
        const losses = await Promise.all(apis.map(({ pid }, index) => takeLosses(pid, files[index]!)));
        return Math.max(...losses.map(({ pauses }) => pauses.max));
      },
      stop: hooks.run,
    };
  } catch (error) {
    await hooks.run();
    throw error;
  }
}

/** Copies the websites, their customers and keys. */
async function copyControlLog(from: Record<string, string>, to: Record<string, string>): Promise<void> {
  const logger = createLogger('error', 'bench');
  const source = await openControlLog(loadConfig(from), logger);
  const target = await openControlLog(loadConfig(to), logger);
  try {
    const lines: string[] = [];
    for await (const line of backupLines((topic, position) => readBackupPage(source, topic, position)))
      lines.push(line);
    await restoreControlLog(target, lines);
  } finally {
    await source.close();
    await target.close();
  }
}

import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../shared/config.js';
import { type ControlPlane, openControlPlane } from '../../shared/control/control-plane.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { createLogger } from '../../shared/logging/log.js';
import { openEventLog } from '../../shared/service/open-event-log.js';
import { createShutdownHooks } from '../../shared/service/shutdown-hooks.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { startTestClickHouse } from './clickhouse.js';
import { freePort } from './free-port.js';
import { startTestKafka, type TestKafka } from './kafka.js';
import { type RunningService, type ServiceName, startService } from './processes.js';

/** Processes of the API on one real Kafka and one ClickHouse, with a control plane on the same log. */
export interface ApiReplicas {
  readonly kafka: TestKafka;
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  readonly replicas: RunningService[];
  startReplica(port: string): Promise<RunningService>;
  /** Another service on the same stores. */
  startOther(name: ServiceName): Promise<RunningService>;
  stop(): Promise<void>;
}

/** @returns null if no Kafka broker is available */
export async function startApiReplicas(count: number): Promise<ApiReplicas | null> {
  const kafka = await startTestKafka();
  if (kafka === null) return null;
  const hooks = createShutdownHooks();
  hooks.add(kafka.stop);
  const { url, clickhouse, stop } = await startTestClickHouse();
  hooks.add(stop);
  const environment = {
    KAFKA_BROKERS: kafka.brokers,
    KAFKA_TOPIC_PREFIX: `replicas-${process.pid}-${Date.now()}.`,
    CLICKHOUSE_URL: url,
  };
  const logger = createLogger('silent', 'test');
  const log = await openEventLog(loadConfig(environment), logger);
  hooks.add(() => log.close());
  const onCrash = (error: Error) => hooks.fail(error);
  const control = await openControlPlane({ log, now: Date.now, randomBytes, logger, onCrash });
  hooks.add(() => control.close());
  const startReplica = (port: string) => startService('api', { ...environment, API_PORT: port });
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const replicas = await Promise.all(ports.map((port) => startReplica(String(port))));
  hooks.add(async () => void (await Promise.all(replicas.map((replica) => replica.kill()))));
  const startOther = (name: ServiceName) => startService(name, environment);
  return { kafka, log, clickhouse, control, replicas, startReplica, startOther, stop: hooks.run };
}

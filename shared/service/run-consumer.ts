import type { DataChange } from '../changes/data-change.js';
import { createUnsharedChanges } from '../changes/unshared-changes.js';
import { watchWrites } from '../changes/watch-writes.js';
import type { ControlPlane } from '../control/control-plane.js';
import type { KeyRing } from '../control/sealing/key-ring.js';
import { createSnapshotStore } from '../control/snapshot/snapshot-store.js';
import type { EventLog } from '../event-log/event-log.js';
import type { ClickHouse } from '../store/client.js';
import { startHealthServer } from './health-server.js';
import { answers, connectServer, waitForSchema } from './open-clickhouse.js';
import { openControl } from './open-control.js';
import { openLog } from './open-event-log.js';
import { createStartSteps, type NotReady, STOPPING, STORE_AWAY } from './readiness.js';
import { runService } from './run.js';
import type { Service } from './service.js';
import { shareWrites } from './share-writes.js';

/** Dependencies of a consumer. */
export interface ConsumerParts<Ring> {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  readonly ring: Ring;
  /** Shares changes that the client does not report (shared/changes/watch-writes.ts). */
  onStored(changes: Iterable<DataChange>): void;
}

export interface OpenConsumer {
  notReady(): NotReady;
  /** Additional fields of the body of /readyz. */
  about?(): object;
}

export interface ConsumerDefinition<Ring extends KeyRing | undefined> {
  readonly name: string;
  /** `openKeys` or `openRing` (open-control.ts). */
  openRing(service: Service, log: EventLog): Promise<Ring>;
  /** Resolves when the consumer runs. Hooks given to `onStop` stop it. */
  open(service: Service, parts: ConsumerParts<Ring>): Promise<OpenConsumer>;
}

/**
 * Runs a service that consumes the log and has no endpoint of its own, as a process on Kafka and a ClickHouse server.
 * Ends by signal.
 */
export function runConsumer<Ring extends KeyRing | undefined>({
  name,
  openRing,
  open,
}: ConsumerDefinition<Ring>): Promise<void> {
  return runService({
    name,
    needs: ['KAFKA_BROKERS', 'CLICKHOUSE_URL'],
    async start(service) {
      const { config, logger, stopping } = service;
      const server = connectServer(config.CLICKHOUSE_URL, config, service.logger);
      service.onStop(() => server.close());
      const unshared = createUnsharedChanges(service.newId(), service.now);
      const clickhouse = watchWrites(server, unshared.add);
      let consumer: OpenConsumer | null = null;
      const steps = createStartSteps();
      const health = await startHealthServer({
        host: config.HOST,
        port: config.HEALTH_PORT,
        async notReady() {
          if (stopping.aborted) return STOPPING;
          const reason = steps.notReady() ?? consumer?.notReady() ?? null;
          return reason ?? ((await answers(clickhouse)) ? null : STORE_AWAY);
        },
        about: () => consumer?.about?.() ?? {},
        logger,
      });
      service.onStop(() => health.close());
      logger.info({ port: health.port }, 'health listening');

      steps.begin('Kafka');
      const log = await openLog(service);
      await shareWrites(service, { log, unshared });
      steps.begin('the control events');
      // Read-only, since the API writes snapshots.
      const { readNewest } = createSnapshotStore(clickhouse, logger);
      const ring = await openRing(service, log);
      const control = await openControl(service, log, { snapshots: { readNewest }, ring });
      steps.begin('ClickHouse with the schema of this version');
      await waitForSchema(clickhouse, service);
      steps.begin('its partitions and lists');
      consumer = await open(service, { log, clickhouse, control, ring, onStored: unshared.add });
      steps.done();
      logger.info('ready');
    },
  });
}

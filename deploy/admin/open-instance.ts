import { randomBytes, randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { createUnsharedChanges } from '../../shared/changes/unshared-changes.js';
import { watchWrites } from '../../shared/changes/watch-writes.js';
import type { Config } from '../../shared/config.js';
import { openControlPlane } from '../../shared/control/control-plane.js';
import { openKeyRing } from '../../shared/control/sealing/key-ring.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { type OpenedFiles, openFileStore } from '../../shared/files/open-file-store.js';
import type { Logger } from '../../shared/logging/log.js';
import { connectServer } from '../../shared/service/open-clickhouse.js';
import { openEventLog } from '../../shared/service/open-event-log.js';
import { publicUrls } from '../../shared/service/public-urls.js';
import { shareWrites } from '../../shared/service/share-writes.js';
import { createShutdownHooks } from '../../shared/service/shutdown-hooks.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { createDeadLetterQueue } from './dead-letters/dead-letter-queue.js';
import { AdminError, connectInstance, type Instance } from './instance/instance.js';
import { createAdminApp } from './server/admin-app.js';
import { createAdminStore } from './server/admin-store.js';
import { withEnrichersStopped } from './server/watch-enrichers.js';

export interface OpenInstance extends Instance {
  close(): Promise<void>;
}

/**
 * With Kafka, the commands open the log themselves. The embedded log belongs to the process that runs on DATA_DIR,
 * so commands go through that process. Nothing is opened before the first call.
 */
export function openInstance(config: Config, logger: Logger, audit: Logger = logger): OpenInstance {
  if (config.KAFKA_BROKERS === undefined)
    return { ...connectInstance(config.DATA_DIR), close: async () => {} };
  return instanceOnLog(() => openEventLog(config, logger), {
    logger,
    audit,
    clickhouse: connectStore(config),
    openFiles: () => openFileStore(config, { base: publicUrls(config).base, now: Date.now }),
    cluster: config.CLICKHOUSE_CLUSTER,
  });
}

function connectStore(config: Config): ClickHouse | null {
  return config.CLICKHOUSE_URL === undefined ? null : connectServer(config.CLICKHOUSE_URL, config);
}

/** Runs the routes of an instance in this process on the given log. @param on `clickhouse`: null if none is configured. */
export function instanceOnLog(
  openLog: () => Promise<EventLog>,
  {
    logger,
    clickhouse,
    cluster,
    openFiles = async () => null,
    audit = logger,
  }: {
    readonly logger: Logger;
    readonly clickhouse: ClickHouse | null;
    readonly cluster?: string | undefined;
    /** Called when the log is opened. */
    readonly openFiles?: () => Promise<OpenedFiles | null>;
    readonly audit?: Logger;
  },
): OpenInstance {
  let opened: ReturnType<typeof open> | null = null;

  async function open() {
    const log = await openLog();
    const onCrash = (error: Error) =>
      logger.error({ err: error }, 'cannot follow the control events any more');
    const opening = async () => {
      const secrets = await openKeyRing({ log, randomBytes, onCrash });
      const ring = log.rewrite === undefined ? secrets : undefined;
      return {
        ring,
        secrets,
        control: await openControlPlane({ log, now: Date.now, randomBytes, logger, onCrash, ring }),
      };
    };
    const { ring, secrets, control } = await opening().catch(async (error: unknown) => {
      await log.close();
      throw error;
    });
    const sharing = createShutdownHooks();
    const unshared = createUnsharedChanges(randomUUID(), Date.now);
    if (clickhouse !== null) await shareWrites({ logger, onStop: sharing.add }, { log, unshared });
    const deadRecords = createDeadLetterQueue({ log, logger });
    const files = await openFiles();
    return {
      app: createAdminApp({
        control,
        log,
        by: `process user ${userInfo().username}`,
        audit,
        deadRecords,
        logger,
        ring: secrets,
        ...(clickhouse !== null &&
          createAdminStore({
            ...{ clickhouse: watchWrites(clickhouse, unshared.add) },
            ...{ control, log, cluster, files: files?.store, ring, logger },
            ...{
              withInsertsHeld: (work) => withEnrichersStopped(log, work),
              newId: randomUUID,
              now: Date.now,
            },
          })),
      }),
      async close() {
        await control.close();
        await secrets.close();
        await sharing.run();
        await log.close();
        await clickhouse?.close();
      },
    };
  }

  async function send(path: string, init: RequestInit): Promise<unknown> {
    opened ??= open();
    const { app } = await opened;
    const response = await app.request(path, init);
    const answer = (await response.json()) as { detail: string };
    if (response.status >= 400) throw new AdminError(answer.detail);
    return answer;
  }

  return {
    get: (path) => send(path, {}),
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    // If opening failed, there is nothing to close, and the error is already reported.
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

import type { ControlPlane } from '../../shared/control/control-plane.js';
import { createSnapshotStore } from '../../shared/control/snapshot/snapshot-store.js';
import { createAsnLookup } from '../../shared/location/asn-lookup.js';
import { openAsnTable } from '../../shared/location/open-databases.js';
import { createDeferred, deferredControlPlane } from '../../shared/service/deferred.js';
import { connectServer, waitForSchema } from '../../shared/service/open-clickhouse.js';
import { openControl, openKeys } from '../../shared/service/open-control.js';
import { openLog } from '../../shared/service/open-event-log.js';
import { publicUrls } from '../../shared/service/public-urls.js';
import { runService } from '../../shared/service/run.js';
import { createShutdownHooks } from '../../shared/service/shutdown-hooks.js';
import { shareUsage } from '../../shared/usage/share-usage.js';
import { createUsageCounter } from '../../shared/usage/usage-counter.js';
import { openApi } from './open-api.js';
import { openProjection } from './projections/open-projection.js';

/** The JSON API as a process of its own, on Kafka (for control events and usage) and a ClickHouse server. */
await runService({
  name: 'api',
  needs: ['KAFKA_BROKERS', 'CLICKHOUSE_URL'],
  async start(service) {
    // The listener is there first and gone first: what it stands on outlives the calls that are under way.
    const below = createShutdownHooks();
    service.onStop(below.run);
    const clickhouse = connectServer(service.config.CLICKHOUSE_URL, service.config);
    below.add(() => clickhouse.close());
    const control = createDeferred<ControlPlane>();
    const usage = createUsageCounter(service.newId());
    const base = { ...service, onStop: below.add };
    const projection = openProjection(base, clickhouse);
    await openApi(service, {
      clickhouse,
      control: deferredControlPlane(control),
      usage,
      projection,
      asnOf: createAsnLookup(openAsnTable),
      urls: publicUrls(service.config),
      ready: () => control.isThere(),
    });

    const log = await openLog(base);
    // Before keys are known: no call is let through without knowing what was used.
    await shareUsage(base, { log, usage });
    // Before the fold: projections are written from its first decision on.
    await waitForSchema(clickhouse, service);
    control.set(
      await openControl(base, log, {
        ring: await openKeys(base, log),
        snapshots: createSnapshotStore(clickhouse, service.logger),
        onApplied: projection.onApplied,
        beforeSnapshot: projection.flushed,
      }),
    );
    service.logger.info('ready');
  },
});

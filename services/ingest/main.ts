import type { ControlPlane } from '../../shared/control/control-plane.js';
import { quickSnapshots } from '../../shared/control/snapshot/quick-snapshots.js';
import { createSnapshotStore } from '../../shared/control/snapshot/snapshot-store.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { createDeferred, deferredControlPlane, deferredEventLog } from '../../shared/service/deferred.js';
import { connectServer } from '../../shared/service/open-clickhouse.js';
import { openControl } from '../../shared/service/open-control.js';
import { openLog } from '../../shared/service/open-event-log.js';
import { createStartSteps } from '../../shared/service/readiness.js';
import { runService } from '../../shared/service/run.js';
import type { Service } from '../../shared/service/service.js';
import { createShutdownHooks } from '../../shared/service/shutdown-hooks.js';
import { shareUsage } from '../../shared/usage/share-usage.js';
import { createUsageCounter } from '../../shared/usage/usage-counter.js';
import { openIngest } from './open-ingest.js';
import { watchAppends } from './watch-appends.js';

/** A working store lists its snapshots, or reads eight parts of one, in a fraction of this time. */
const SNAPSHOT_STEP_MS = 3_000;

/** With a ClickHouse URL, a new pod starts from the API's last snapshot. Ingest needs only Kafka otherwise. */
function openSnapshots({ config, logger, onStop }: Service) {
  if (config.CLICKHOUSE_URL === undefined) return undefined;
  const clickhouse = connectServer(config.CLICKHOUSE_URL, config);
  onStop(() => clickhouse.close());
  return quickSnapshots(createSnapshotStore(clickhouse, logger), SNAPSHOT_STEP_MS);
}

/** The ingest endpoint as a separate process, on Kafka. */
await runService({
  name: 'ingest',
  needs: ['KAFKA_BROKERS'],
  async start(service) {
    // The listener starts first and stops first: its dependencies outlive the running uploads.
    const below = createShutdownHooks();
    service.onStop(below.run);
    const deferredLog = createDeferred<EventLog>();
    const deferredControl = createDeferred<ControlPlane>();
    const usage = createUsageCounter(service.newId());
    const steps = createStartSteps();
    let taking = () => true;
    await openIngest(service, {
      log: deferredEventLog(deferredLog),
      control: deferredControlPlane(deferredControl),
      usage,
      notReady: () => steps.notReady() ?? (taking() ? null : 'the log takes no records'),
    });

    const base = { ...service, onStop: below.add };
    steps.begin('Kafka');
    const log = await openLog(base);
    const watch = watchAppends(log, service);
    below.add(async () => watch.stop());
    deferredLog.set(watch.log);
    taking = watch.taking;
    steps.begin('the control events');
    // Usage comes before the keys: no upload is admitted without known usage.
    await shareUsage(base, { log, usage });
    deferredControl.set(await openControl(base, log, { snapshots: openSnapshots(base) }));
    steps.done();
    service.logger.info('ready');
  },
});

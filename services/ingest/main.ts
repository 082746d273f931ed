import type { ControlPlane } from '../../shared/control/control-plane.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { createLate, lateControlPlane, lateEventLog } from '../../shared/service/late.js';
import { openControl } from '../../shared/service/open-control.js';
import { openLog } from '../../shared/service/open-event-log.js';
import { runService } from '../../shared/service/run.js';
import { createUndo } from '../../shared/service/undo.js';
import { watchAppends } from '../../shared/service/watch-appends.js';
import { shareUsage } from '../../shared/usage/share-usage.js';
import { createUsageCounter } from '../../shared/usage/usage-counter.js';
import { openIngest } from './open-ingest.js';

/** The ingest endpoint as a process of its own, on Kafka. */
await runService({
  name: 'ingest',
  needs: ['KAFKA_BROKERS'],
  async start(service) {
    // The listener is there first and gone first: what it stands on outlives the uploads that are under way.
    const below = createUndo();
    service.onStop(below.run);
    const lateLog = createLate<EventLog>();
    const lateControl = createLate<ControlPlane>();
    const usage = createUsageCounter(service.newId());
    let taking = () => false;
    await openIngest(service, {
      log: lateEventLog(lateLog),
      control: lateControlPlane(lateControl),
      usage,
      ready: () => lateControl.isThere() && taking(),
    });

    const base = { ...service, onStop: below.add };
    const log = await openLog(base);
    const watch = watchAppends(log, service);
    below.add(async () => watch.stop());
    lateLog.set(watch.log);
    taking = watch.taking;
    // Before keys are known: no upload is let through without knowing what was used.
    await shareUsage(base, { log, usage });
    lateControl.set(await openControl(base, log));
    service.logger.info('ready');
  },
});

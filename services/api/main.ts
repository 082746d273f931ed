import type { ControlPlane } from '../../shared/control/control-plane.js';
import { createAsnLookup } from '../../shared/location/asn-lookup.js';
import { openAsnTable } from '../../shared/location/open-databases.js';
import { createLate, lateControlPlane } from '../../shared/service/late.js';
import { connectServer, waitForSchema } from '../../shared/service/open-clickhouse.js';
import { openControl } from '../../shared/service/open-control.js';
import { openLog } from '../../shared/service/open-event-log.js';
import { publicUrls } from '../../shared/service/public-urls.js';
import { runService } from '../../shared/service/run.js';
import { createUndo } from '../../shared/service/undo.js';
import { openApi } from './open-api.js';

/** The JSON API as a process of its own, on Kafka (for the control events) and a ClickHouse server. */
await runService({
  name: 'api',
  needs: ['KAFKA_BROKERS', 'CLICKHOUSE_URL'],
  async start(service) {
    // The listener is there first and gone first: what it stands on outlives the calls that are under way.
    const below = createUndo();
    service.onStop(below.run);
    const clickhouse = connectServer(service.config.CLICKHOUSE_URL, service.config);
    below.add(() => clickhouse.close());
    const control = createLate<ControlPlane>();
    let migrated = false;
    await openApi(service, {
      clickhouse,
      control: lateControlPlane(control),
      asnOf: createAsnLookup(openAsnTable),
      urls: publicUrls(service.config),
      ready: () => control.isThere() && migrated,
    });

    const base = { ...service, onStop: below.add };
    const log = await openLog(base);
    control.set(await openControl(base, log));
    await waitForSchema(clickhouse, service);
    migrated = true;
    service.logger.info('ready');
  },
});

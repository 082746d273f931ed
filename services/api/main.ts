import { createUnsharedChanges } from '../../shared/changes/unshared-changes.js';
import { watchWrites } from '../../shared/changes/watch-writes.js';
import { openAsnTable } from '../../shared/location/open-databases.js';
import { connectServer, waitForSchema } from '../../shared/service/open-clickhouse.js';
import { openControl, openKeys, openRing } from '../../shared/service/open-control.js';
import { openLog } from '../../shared/service/open-event-log.js';
import { publicUrls } from '../../shared/service/public-urls.js';
import { createStartSteps } from '../../shared/service/readiness.js';
import { refuseLostLog, SERVERS } from '../../shared/service/refuse-lost-log.js';
import { refuseLostStore } from '../../shared/service/refuse-lost-store.js';
import { runService } from '../../shared/service/run.js';
import { shareWrites } from '../../shared/service/share-writes.js';
import { createShutdownHooks } from '../../shared/service/shutdown-hooks.js';
import { shareUsage } from '../../shared/usage/share-usage.js';
import { createFollowedVersions, followChanges } from './answer-cache/follow-changes.js';
import { createAsnLookup } from './asn-lookup.js';
import { composeApi } from './compose-api.js';

/** The JSON API as a separate process, with Kafka (for control events, usage and changes) and a ClickHouse server. */
await runService({
  name: 'api',
  needs: ['KAFKA_BROKERS', 'CLICKHOUSE_URL'],
  async start(service) {
    // The listener starts first and stops first. These services outlive the running calls.
    const below = createShutdownHooks();
    service.onStop(below.run);
    const { config, now } = service;
    const server = connectServer(config.CLICKHOUSE_URL, config, service.logger);
    below.add(() => server.close());
    const unshared = createUnsharedChanges(service.newId(), now);
    const clickhouse = watchWrites(server, unshared.add);
    const followed = createFollowedVersions(unshared.writerId, service);
    const base = { ...service, onStop: below.add };
    const api = composeApi(base, clickhouse);
    const steps = createStartSteps();
    await api.listen(service, {
      asnOf: createAsnLookup(openAsnTable),
      urls: publicUrls(config),
      dataVersions: followed.versions,
      notReady: steps.notReady,
    });

    steps.begin('Kafka');
    const log = await openLog(base);
    followChanges(base, { log, followed });
    await shareWrites(base, { log, unshared });
    await shareUsage(base, { log, usage: api.usage });
    // Before the fold, because projections are written from its first decision on.
    steps.begin('ClickHouse with the schema of this version');
    await waitForSchema(clickhouse, service);
    steps.begin('the control events');
    const ring = await openKeys(base, log);
    const control = await openControl(base, log, { ...api.controlWishes, ring });
    await refuseLostLog(control, clickhouse, SERVERS);
    await refuseLostStore(log, clickhouse, { places: SERVERS, logger: service.logger });
    // A start does not wait for the last day's uploads: they are many, and no call needs all of them.
    api.followUploads(log);
    api.serve({ control, ring: ring ?? (await openRing(base, log)) });
    steps.done();
    service.logger.info('ready');
  },
});

import { openKeys } from '../../shared/service/open-control.js';
import { SERVERS } from '../../shared/service/refuse-lost-log.js';
import { refuseLostStore } from '../../shared/service/refuse-lost-store.js';
import { runConsumer } from '../../shared/service/run-consumer.js';
import { openEnricher } from './open-enricher.js';

/** The enricher as a separate process. */
await runConsumer({
  name: 'enricher',
  openRing: openKeys,
  async open(service, parts) {
    await refuseLostStore(parts.log, parts.clickhouse, { places: SERVERS, logger: service.logger });
    const { notReady, verification } = await openEnricher(service, parts);
    return { notReady, about: verification };
  },
});

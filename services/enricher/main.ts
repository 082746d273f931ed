import { openKeys } from '../../shared/service/open-control.js';
import { runConsumer } from '../../shared/service/run-consumer.js';
import { openEnricher } from './open-enricher.js';

/** The enricher as a process of its own. */
await runConsumer({
  name: 'enricher',
  openRing: openKeys,
  async open(service, parts) {
    const { notReady, verification } = await openEnricher(service, parts);
    return { notReady, about: verification };
  },
});

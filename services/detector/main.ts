import { openKeys } from '../../shared/service/open-control.js';
import { runConsumer } from '../../shared/service/run-consumer.js';
import { openDetector } from './open-detector.js';

/** The detector as a separate process. */
await runConsumer({ name: 'detector', openRing: openKeys, open: openDetector });

import { openKeys } from '../../shared/service/open-control.js';
import { runConsumer } from '../../shared/service/run-consumer.js';
import { openDetector } from './open-detector.js';

/** The detector as a process of its own. */
await runConsumer({ name: 'detector', openRing: openKeys, open: openDetector });

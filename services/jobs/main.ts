import type { KeyRing } from '../../shared/control/sealing/key-ring.js';
import { openRing } from '../../shared/service/open-control.js';
import { runConsumer } from '../../shared/service/run-consumer.js';
import { openJobs } from './open-jobs.js';

/** The jobs service as a process of its own. */
await runConsumer<KeyRing>({ name: 'jobs', openRing, open: openJobs });

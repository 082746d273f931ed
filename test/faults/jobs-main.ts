import { openFetchSession } from '../../services/jobs/crawls/site/fetch-session.js';
import { openJobs } from '../../services/jobs/open-jobs.js';
import type { KeyRing } from '../../shared/control/sealing/key-ring.js';
import { SECOND_MS } from '../../shared/durations.js';
import { createFetcher } from '../../shared/fetch/fetcher.js';
import { openRing } from '../../shared/service/open-control.js';
import { runConsumer } from '../../shared/service/run-consumer.js';

/**
 * The jobs service as a separate process, with two differences to services/jobs/main.ts. All websites and webhook receivers are the server
 * on 127.0.0.1 at the port TEST_WEBSITES_PORT. Periodic checks (due jobs, digests, orphaned files) run twice a second.
 */

const LONGEST_INTERVAL_MS = SECOND_MS / 2;

const { setInterval: every } = globalThis;
globalThis.setInterval = ((run: () => void, ms: number) =>
  every(run, Math.min(ms, LONGEST_INTERVAL_MS))) as typeof setInterval;

const port = Number(process.env.TEST_WEBSITES_PORT);
const everyWebsite = { get: () => port } as unknown as ReadonlyMap<string, number>;
const nobody = async () => [];
const thisMachine = {
  resolver: { resolve4: nobody, resolve6: nobody },
  loopback: { origins: everyWebsite },
};

await runConsumer<KeyRing>({
  name: 'jobs',
  openRing,
  open: (service, parts) =>
    openJobs(service, {
      ...parts,
      fetch: createFetcher({ userAgent: service.config.FETCH_USER_AGENT, ...thisMachine }),
      openFetchSession: () =>
        openFetchSession({ userAgent: service.config.CRAWLER_USER_AGENT, ...thisMachine }),
    }),
});

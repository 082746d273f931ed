import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { alertSettingsOf } from '../../../shared/control/aggregates/alert-settings.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import { PublicError } from '../../../shared/errors.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { INSIGHTS, requestedKinds, requestJob } from '../../../shared/jobs/job-request.js';
import type { Logger } from '../../../shared/logging/log.js';
import { toInsightOrder } from '../../../shared/reads/insights/insight-order.js';
import type { PublicUrls } from '../../../shared/service/public-urls.js';
import { backupTopics, readBackupPage } from '../backup/control-backup.js';
import type { DeadLetterQueue } from '../dead-letters/dead-letter-queue.js';
import { erasureSubject } from '../erasure/subject.js';
import type { AdminStore } from './admin-store.js';
import { connectionWish, connectService, listConnections } from './connections.js';
import { deliveryListing, deliveryRetry } from './delivery-desk.js';
import { createDemoOrganisation } from './demo-organisation.js';
import { wantedForget } from './forget-days.js';
import { readBody, readQuery } from './read-input.js';
import { reclassification } from './reclassify.js';
import { recordedAnalytics, storeRecordedAnalytics } from './recorded-analytics.js';
import { recordedSearch, storeRecordedSearch } from './recorded-search.js';
import { refuseUnknownWebsite } from './refuse-unknown-website.js';
import { wantedPrivacy } from './set-privacy.js';
import { showWebhookSecret, webhookSecretWish } from './show-webhook-secret.js';
import { givenRobots, givenSitemaps } from './site-files.js';

/** The parts of the store are absent without ClickHouse. */
export interface AdminAppOptions extends Partial<AdminStore> {
  readonly control: ControlPlane;
  readonly deadRecords: DeadLetterQueue;
  readonly logger: Logger;
  /** Seals credentials; webhook secrets are derived from it. */
  readonly ring?: KeyRing | undefined;
  /** Addresses of the API and of ingest in this process; absent: other processes serve them. */
  readonly urls?: PublicUrls;
  /** For back-ups and for requests of jobs. */
  readonly log?: EventLog | undefined;
  /** The caller in the audit line of each command; default: the local socket, which only its owner can open. */
  readonly by?: string;
  /** Logger of the audit lines; default `logger`. */
  readonly audit?: Logger;
}

/** Adds the routes other than lists and commands. An array is answered as `{rows}`, everything else as `{answer}`. */
export function addAdminRoutes(app: Hono, options: AdminAppOptions): void {
  const { control, deadRecords } = options;
  const log = () => options.log ?? refuse('unavailable', 'no log is configured');
  const store = <Part extends keyof AdminStore>(part: Part): AdminStore[Part] =>
    (options as Partial<AdminStore>)[part] ??
    refuse('invalid_request', 'this needs ClickHouse, too: set CLICKHOUSE_URL');
  const reply = (context: Context, result: object) =>
    context.json(Array.isArray(result) ? { rows: result } : { answer: result });
  function get<Wanted>(path: string, schema: z.ZodType<Wanted>, run: (wanted: Wanted) => Promise<object>) {
    app.get(path, async (context) => reply(context, await run(readQuery(schema, context.req.query()))));
  }
  function post<Wanted>(path: string, schema: z.ZodType<Wanted>, run: (wanted: Wanted) => Promise<object>) {
    app.post(path, async (context) => reply(context, await run(readBody(schema, await context.req.text()))));
  }

  app.get('/control-log', async (context) => {
    const { topic, from } = readQuery(backupPage, context.req.query());
    return context.json(await readBackupPage(log(), topic, from));
  });

  get('/urls', z.unknown(), async () => ({ urls: options.urls ?? null }));
  get('/dead', z.unknown(), () => deadRecords.list());
  post('/dead/replay', replay, ({ again, ...wanted }) =>
    deadRecords.replay('all' in wanted ? 'all' : wanted, { again }),
  );

  post('/erase/preview', erasureSubject, (subject) => store('erasure').preview(subject));
  post('/erase', erasureSubject, (subject) => store('erasure').erase(subject));
  post('/forget', wantedForget, (wanted) => store('forgetDays')(wanted));
  post('/reclassify', reclassification, (wanted) => store('reclassify')(wanted));
  post('/privacy', wantedPrivacy, (wanted) => store('setPrivacy')(wanted));
  post('/robots', givenRobots, (given) => store('siteFiles').storeRobots(given));
  post('/sitemaps', givenSitemaps, (given) => store('siteFiles').storeSitemaps(given));

  get('/alert-settings', z.object({ website: z.string().default('') }), async ({ website }) => {
    refuseUnknownWebsite(control, website);
    return alertSettingsOf(control.state(), website);
  });
  get('/deliveries', deliveryListing, (wanted) => store('deliveries').list(wanted));
  post('/deliveries/retry', deliveryRetry, (wanted) => store('deliveries').retry(wanted));
  post('/webhook-secret', webhookSecretWish, (wish) => showWebhookSecret(wish, options));

  post('/jobs', wantedJob, async (request) => {
    refuseUnknownWebsite(control, request.websiteId);
    return { ...request, ...(await requestJob(log(), request)) };
  });
  post('/insights', wantedInsight, async ({ websiteId, ...wanted }) => {
    refuseUnknownWebsite(control, websiteId);
    const request = { kind: INSIGHTS, websiteId, details: toInsightOrder(wanted) };
    return { ...request, ...(await requestJob(log(), request)) };
  });

  post('/connections', connectionWish, (wish) => connectService(wish, options));
  get('/connections', z.object({ filter: z.string().optional() }), ({ filter }) =>
    listConnections(filter, options),
  );
  post('/recorded-search', recordedSearch, (given) =>
    storeRecordedSearch(store('clickhouse'), control, given),
  );
  post('/recorded-analytics', recordedAnalytics, (given) =>
    storeRecordedAnalytics(store('clickhouse'), control, given),
  );
  post('/demo-organisation', demoAddresses, (addresses) => createDemoOrganisation(control, addresses));
}

/** @throws PublicError */
function refuse(code: 'unavailable' | 'invalid_request', detail: string): never {
  throw new PublicError(code, detail);
}

const backupPage = z.object({ topic: z.enum(backupTopics), from: z.coerce.number().int().min(0) });
const again = z.boolean().default(false);
const place = { partition: z.number().int().min(0), offset: z.number().int().min(0) };
const replay = z.union([
  z.strictObject({ all: z.literal(true), again }),
  z.strictObject({ ...place, again }),
]);
const wantedJob = z.strictObject({ kind: z.enum(requestedKinds), websiteId: z.string() });
const wantedInsight = z.strictObject({
  websiteId: z.string(),
  page: z.string(),
  filters: z.string(),
  recorded: z.boolean().default(false),
});
const demoAddresses = z.object({ baseUrl: z.string(), ingestUrl: z.string() });

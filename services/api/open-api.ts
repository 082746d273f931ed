import { Resolver } from 'node:dns/promises';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { createInstallationSeal } from '../../shared/control/sealing/installation-seal.js';
import type { KeyRing } from '../../shared/control/sealing/key-ring.js';
import {
  createCanonicalName,
  createFamilyOf,
  createIsSearchCrawler,
  createPublishesRanges,
} from '../../shared/crawlers/canonical-name.js';
import { followLists } from '../../shared/crawlers/follow-lists.js';
import { aiDetectionOf, loadReferrerList } from '../../shared/crawlers/referrers.js';
import { openFileStore } from '../../shared/files/open-file-store.js';
import { inTime } from '../../shared/pacing/in-time.js';
import { pause } from '../../shared/pacing/pause.js';
import { detectPlatform } from '../../shared/platforms/detect-platform.js';
import { drainTimeMs } from '../../shared/service/drain-time.js';
import { rememberAnswers } from '../../shared/service/open-clickhouse.js';
import { billingReturnUrl, type PublicUrls } from '../../shared/service/public-urls.js';
import { type NotReady, STOPPING, STORE_AWAY } from '../../shared/service/readiness.js';
import type { Service } from '../../shared/service/service.js';
import type { ClickHouse } from '../../shared/store/client.js';
import type { UsageCounter } from '../../shared/usage/usage-counter.js';
import { type DataVersions, unknownVersions } from './answer-cache/data-versions.js';
import { meterReads } from './answer-cache/meter-reads.js';
import { type ApiService, startApi } from './api-service.js';
import type { KnownUploads } from './arrivals/known-uploads.js';
import type { PendingUploads } from './arrivals/pending-uploads.js';
import type { AsnOf } from './asn-lookup.js';
import { openPaymentProcessor } from './billing/open-processor.js';
import { BUILT_CONSOLE, readConsole } from './console-files/read-console.js';
import type { LoadDemo } from './console-session/demo-routes.js';
import { noteSessionUses } from './console-session/note-session-uses.js';
import { apiControl } from './control/control.js';
import { readsBeforeKept } from './kept-hours/admit-reads.js';
import { keptHoursShare, memoryOfContainer } from './kept-hours/memory-share.js';
import { createKeyUses } from './key-uses.js';
import type { Projection } from './projections/projection.js';
import { createSlowReads } from './slow-reads/slow-reads.js';

/** A working store has the row much earlier. An unavailable one must not delay the answer for long. */
const READ_OWN_WRITES_MS = 2_000;

/** A server has many cores. The store's client has 16 connections for these reads, for fills of rows and for other short statements. */
const MOST_READS_AT_ONCE = 12;

export interface ApiParts {
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  readonly ring: Pick<KeyRing, 'keyOf' | 'find'>;
  /** The caller of openApi shares it (shared/usage/share-usage.ts). */
  readonly usage: UsageCounter;
  /** The caller of openApi feeds it (arrivals/follow-uploads.ts). */
  readonly uploads: KnownUploads;
  readonly pendingUploads: PendingUploads;
  readonly asnOf: AsnOf;
  readonly urls: PublicUrls;
  /** Must be connected to the control plane's `onApplied` (projections/projection.ts). */
  readonly projection: Projection;
  /** For the only process that stores data. Default: versions are unknown. */
  readonly dataVersions?: DataVersions;
  /** Concurrent everyday statements of callers. Default: those of a server. */
  readonly mostReadsAtOnce?: number | undefined;
  /** Checked in addition to ClickHouse. */
  readonly notReady: () => NotReady;
  /** Additional fields of `/readyz`. */
  readonly about?: () => object;
  /** Default null: this program can not load the demo. */
  readonly loadDemo?: LoadDemo | null;
}

/** Starts the JSON API in the given process. Resolves when it listens. */
export async function openApi(service: Service, parts: ApiParts): Promise<ApiService> {
  const { config, now, logger, registry, stopping } = service;
  const { clickhouse, control, usage, uploads, pendingUploads, projection, asnOf, urls, notReady } = parts;
  const { dataVersions = unknownVersions } = parts;
  const uses = createKeyUses({ clickhouse, newId: service.newId, logger });
  service.onStop(() => uses.stop());
  const lists = followLists({ reader: clickhouse, now, logger });
  service.onStop(async () => lists.stop());
  const { table } = lists.data();
  const consoleFiles = config.CONSOLE ? readConsole(BUILT_CONSOLE, urls.base) : null;
  const ofControl = apiControl(control, now);
  const storeAnswers = rememberAnswers(clickhouse, now);
  const api = await startApi({
    host: config.HOST,
    port: config.API_PORT,
    mostConnections: config.API_MAX_CONNECTIONS,
    shutdownTimeoutMs: drainTimeMs(config),
    services: {
      reader: meterReads(clickhouse, registry),
      control: ofControl,
      slowReads: createSlowReads({
        deadlineMs: config.READ_DEADLINE_MS,
        now,
        sleep: pause,
      }),
      usage,
      uploads,
      pendingUploads,
      detectPlatform: (domain) => detectPlatform(domain, { resolver: new Resolver(), asnOf }),
      urls,
      payments: openPaymentProcessor(config, { now, logger }),
      billingReturnUrl: billingReturnUrl(config, urls),
      crawlerName: createCanonicalName(table),
      crawlerFamily: createFamilyOf(table),
      isSearchCrawler: createIsSearchCrawler(table),
      publishesRanges: createPublishesRanges(table),
      sharedNetworkOf: lists.sharedNetworkOf,
      crawlerListsAge: lists.age,
      aiDetection: aiDetectionOf(loadReferrerList()),
      files: await openFileStore(config, { base: urls.base, now }),
      exportsMaxKeptBytes: config.EXPORTS_MAX_KEPT_BYTES,
      fetchesWebsites: config.FETCH_WEBSITES,
      crawlerEgressIp: config.CRAWLER_EGRESS_IP ?? null,
      keyUsed: uses.used,
      sessionUsed: consoleFiles === null ? null : noteSessionUses(ofControl, logger),
      seal: createInstallationSeal(parts.ring, service.randomBytes),
      waitForProjections: () => inTime(projection.flushed(), READ_OWN_WRITES_MS, undefined),
    },
    about: () => ({ crawler_tables: lists.age(), ...parts.about?.() }),
    async notReady() {
      if (stopping.aborted) return STOPPING;
      return notReady() ?? ((await storeAnswers()) ? null : STORE_AWAY);
    },
    now,
    newRequestId: service.newId,
    randomBytes: service.randomBytes,
    logger,
    registry,
    dataVersions,
    mostReadsAtOnce: parts.mostReadsAtOnce ?? MOST_READS_AT_ONCE,
    keptAnswersMaxBytes: config.KEPT_ANSWERS_MAX_BYTES,
    keptHours: {
      maxBytes: config.KEPT_HOURS_MAX_BYTES ?? keptHoursShare(memoryOfContainer()),
      readsBefore: readsBeforeKept,
    },
    console: consoleFiles,
    loadDemo: parts.loadDemo ?? null,
  });
  service.onStop(() => api.stop());
  return api;
}

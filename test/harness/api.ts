import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { DataVersions } from '../../services/api/answer-cache/data-versions.js';
import { type Api, type ApiOptions, createApi } from '../../services/api/app.js';
import { createKnownUploads, type KnownUploads } from '../../services/api/arrivals/known-uploads.js';
import { noPendingUploads, type PendingUploads } from '../../services/api/arrivals/pending-uploads.js';
import type { ConsoleFiles } from '../../services/api/console-files/read-console.js';
import { noteSessionUses } from '../../services/api/console-session/note-session-uses.js';
import { apiControl } from '../../services/api/control/control.js';
import type { Operation } from '../../services/api/operation/operation.js';
import { projectedTables } from '../../services/api/projections/open-projection.js';
import { createProjection } from '../../services/api/projections/projection.js';
import { createSlowReads } from '../../services/api/slow-reads/slow-reads.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import type { Website } from '../../shared/control/domain/model.js';
import type { PaymentProcessor } from '../../shared/control/domain/payment-processor.js';
import { createInstallationSeal } from '../../shared/control/sealing/installation-seal.js';
import type { KeyRing, SealingKey } from '../../shared/control/sealing/key-ring.js';
import {
  createCanonicalName,
  createFamilyOf,
  createIsSearchCrawler,
  createPublishesRanges,
} from '../../shared/crawlers/canonical-name.js';
import { loadRuleData } from '../../shared/crawlers/crawler-rules.js';
import { aiDetectionOf, loadReferrerList } from '../../shared/crawlers/referrers.js';
import { createSharedNetworkOf } from '../../shared/crawlers/shared-networks.js';
import { tableAge } from '../../shared/crawlers/table-age.js';
import type { FileStore } from '../../shared/files/file-store.js';
import type { OpenedFiles } from '../../shared/files/open-file-store.js';
import type { DetectedPlatform } from '../../shared/platforms/detect-platform.js';
import type { ClickHouse, ClickHouseReader } from '../../shared/store/client.js';
import { createUsageCounter, type UsageCounter } from '../../shared/usage/usage-counter.js';
import type { ControlLog } from './control-log.js';
import { granted, openTestPlane } from './control-plane.js';

/** The API without a socket, on a control plane in memory with three organisations. */
export interface TestApi {
  readonly api: Api;
  /** Its options, for creating another replica. */
  readonly options: ApiOptions;
  readonly control: ControlPlane;
  readonly controlLog: ControlLog;
  readonly website: Website;
  /** Belongs to another organisation, also on the Scale plan. */
  readonly foreignWebsite: Website;
  /** Belongs to an organisation on the Free plan. */
  readonly freeWebsite: Website;
  readonly keys: {
    readonly read: string;
    readonly readWrite: string;
    readonly expired: string;
    readonly revoked: string;
    readonly ingest: string;
    readonly foreign: string;
    readonly free: string;
  };
  request(path: string, options?: RequestOptions): Promise<TestAnswer>;
  /** GET below /public/v1/websites/{website_id}. */
  read(path: string, options?: RequestOptions): Promise<TestAnswer>;
  /** Advances the clock. */
  advance(ms: number): void;
  /** The whole log as text. */
  logged(): string;
}

export interface RequestOptions {
  /** Default: the read_write key; null: no key at all. */
  readonly key?: string | null;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any;
}

export const TEST_NOW = Date.parse('2026-11-21T12:00:00Z');

export interface TestApiOptions {
  /** Used for reads, and filled by writes. For reads only, use `reader`. */
  readonly clickhouse?: ClickHouse;
  /** Default: one that fails on any read. */
  readonly reader?: ClickHouseReader;
  readonly operations?: readonly Operation[];
  /** Default: none is configured. */
  readonly payments?: PaymentProcessor;
  readonly readDeadlineMs?: number;
  /** Default: true. */
  readonly fetchesWebsites?: boolean;
  /** Default: none. */
  readonly crawlerEgressIp?: string;
  /** Default: one that only creates links. */
  readonly files?: OpenedFiles | null;
  /** Default: a TiB. */
  readonly exportsMaxKeptBytes?: number;
  /** Default: one that counts, without other replicas. */
  readonly usage?: UsageCounter;
  /** Default: no upload ever arrived. */
  readonly uploads?: KnownUploads;
  /** Default: everything is stored. */
  readonly pendingUploads?: PendingUploads;
  readonly notReady?: () => string | null;
  /** Default: versions that change with every call, so that no answer is reused. */
  readonly dataVersions?: DataVersions;
  readonly detected?: DetectedPlatform;
  /** Default: there is none. */
  readonly console?: ConsoleFiles;
  /** Name of the first organisation. Default: Shop. */
  readonly organisationName?: string;
}

const fastly: DetectedPlatform = {
  cdn: 'fastly',
  displayName: 'Fastly',
  compatible: true,
  sourceType: 'fastly',
};

/** A store that contains nothing, and signs. */
const filesElsewhere: OpenedFiles = {
  store: { link: async (key: string) => `https://files.example/${key}` } as unknown as FileStore,
  local: null,
};

const ruleData = loadRuleData();

export async function createTestApi(options: TestApiOptions): Promise<TestApi> {
  let now = TEST_NOW;
  const lines: string[] = [];
  const stream = new PassThrough().on('data', (line) => lines.push(String(line)));
  const logger = pino({ level: 'trace' }, stream);
  const { clickhouse } = options;
  const projection =
    clickhouse === undefined ? null : createProjection({ clickhouse, tables: projectedTables, logger });
  const { control, log } = await openTestPlane({ now: () => now, onApplied: projection?.onApplied });
  const apiOptions: ApiOptions = {
    services: {
      reader: clickhouse ?? options.reader ?? untouchedStore,
      control: apiControl(control, () => now),
      slowReads: createSlowReads({
        deadlineMs: options.readDeadlineMs ?? 30_000,
        now: () => now,
        sleep: abortableSleep,
      }),
      usage: options.usage ?? createUsageCounter('test'),
      uploads: options.uploads ?? createKnownUploads(),
      pendingUploads: options.pendingUploads ?? noPendingUploads,
      detectPlatform: async () => options.detected ?? fastly,
      urls: { base: 'https://api.example', ingest: 'https://ingest.example/v1/logs' },
      payments: options.payments ?? null,
      billingReturnUrl: 'https://app.example/billing',
      crawlerName: createCanonicalName(ruleData.table),
      crawlerFamily: createFamilyOf(ruleData.table),
      isSearchCrawler: createIsSearchCrawler(ruleData.table),
      publishesRanges: createPublishesRanges(ruleData.table),
      sharedNetworkOf: createSharedNetworkOf(ruleData),
      crawlerListsAge: () => tableAge(ruleData, now),
      aiDetection: aiDetectionOf(loadReferrerList()),
      files: options.files === undefined ? filesElsewhere : options.files,
      exportsMaxKeptBytes: options.exportsMaxKeptBytes ?? 1024 ** 4,
      fetchesWebsites: options.fetchesWebsites ?? true,
      crawlerEgressIp: options.crawlerEgressIp ?? null,
      keyUsed() {},
      sessionUsed:
        options.console === undefined
          ? null
          : noteSessionUses(
              apiControl(control, () => now),
              logger,
            ),
      seal: createInstallationSeal(memoryRing(), randomBytes),
      waitForProjections: async () => projection?.flushed(),
    },
    notReady: options.notReady ?? (() => null),
    now: () => now,
    newRequestId: () => 'request-1',
    randomBytes,
    logger,
    registry: new Registry(),
    dataVersions: options.dataVersions ?? alwaysChanging(),
    mostReadsAtOnce: 12,
    keptAnswersMaxBytes: 16 * 1024 ** 2,
    keptHours: { maxBytes: 16 * 1024 ** 2, readsBefore: { small: 0, large: 0 } },
    console: options.console ?? null,
    ...(options.operations === undefined ? {} : { operations: options.operations }),
  };
  const api = createApi(apiOptions);

  const shop = await populate(control, options.organisationName ?? 'Shop', 'scale', 'www.example.com');
  const foreign = await populate(control, 'Rival', 'scale', 'www.example.org');
  const free = await populate(control, 'Hobby', 'free', 'www.example.net');
  const expiresAt = new Date(TEST_NOW + 1).toISOString();
  const expired = await createKey(control, shop.organisationId, { expiresAt });
  now += 1;
  const revoked = await createKey(control, shop.organisationId, {});
  granted(await control.execute({ type: 'revokeApiKey', apiKeyId: revoked.apiKey.id }, 'admin'));
  now = TEST_NOW + 1;

  const request = (path: string, requestOptions?: RequestOptions) =>
    ask(api, path, initOf(requestOptions, shop.readWrite));

  return {
    api,
    options: apiOptions,
    control,
    controlLog: log,
    website: shop.website,
    foreignWebsite: foreign.website,
    freeWebsite: free.website,
    keys: {
      read: (await createKey(control, shop.organisationId, {})).clearText,
      readWrite: shop.readWrite,
      expired: expired.clearText,
      revoked: revoked.clearText,
      ingest: shop.ingest,
      foreign: foreign.readWrite,
      free: free.readWrite,
    },
    request,
    read: (path, requestOptions) => request(`/public/v1/websites/${shop.website.id}${path}`, requestOptions),
    advance(ms) {
      now += ms;
    },
    logged: () => lines.join(''),
  };
}

/** Another replica of the API on the same log, with its own control plane and counts. */
export async function openReplica(test: TestApi): Promise<TestApi['request']> {
  const { options } = test;
  const { control } = await openTestPlane({ now: options.now, log: test.controlLog });
  const ofReplica = apiControl(control, options.now);
  const sessionUsed = options.console === null ? null : noteSessionUses(ofReplica, options.logger);
  const services = { ...options.services, control: ofReplica, sessionUsed };
  const api = createApi({ ...options, services, registry: new Registry() });
  return (path, requestOptions) => ask(api, path, initOf(requestOptions, test.keys.readWrite));
}

function initOf({ key, method, body, headers }: RequestOptions = {}, defaultKey: string): RequestInit {
  return {
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key ?? defaultKey}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
  };
}

async function ask(api: Api, path: string, init: RequestInit): Promise<TestAnswer> {
  const response = await api.request(path, init);
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

async function populate(control: ControlPlane, name: string, planId: 'scale' | 'free', domain: string) {
  const { id: organisationId } = granted(
    await control.execute({ type: 'createOrganisation', name, planId }, 'admin'),
  );
  const { website, clearText: ingest } = granted(
    await control.execute(
      { type: 'createWebsite', organisationId, domain, sourceType: 'cloudflare' },
      'admin',
    ),
  );
  const { clearText: readWrite } = await createKey(control, organisationId, { scope: 'read_write' });
  return { organisationId, website, ingest, readWrite };
}

async function createKey(
  control: ControlPlane,
  organisationId: string,
  fields: { scope?: 'read' | 'read_write'; expiresAt?: string },
) {
  return granted(await control.execute({ type: 'createApiKey', organisationId, ...fields }, 'admin'));
}

function abortableSleep(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function alwaysChanging(): DataVersions {
  let version = 0;
  return { versionOf: () => String(version++), hourVersionOf: () => version++ };
}

/** Keys of one installation, without a log. */
export function memoryRing(): Pick<KeyRing, 'keyOf' | 'find'> {
  const keys = new Map<string, SealingKey>();
  return {
    async keyOf(organisationId) {
      const name = `${organisationId}/${randomBytes(6).toString('hex')}`;
      const [known] = [...keys.values()].filter((key) => key.name.startsWith(`${organisationId}/`));
      const key = known ?? { name, bytes: randomBytes(32) };
      keys.set(key.name, key);
      return key;
    },
    find: (name) => keys.get(name)?.bytes ?? null,
  };
}

/** For suites with more calls than a plan allows. */
export const uncounted: UsageCounter = { used: () => 0, take() {} };

/** A store that no refused request may query. */
export const untouchedStore: ClickHouseReader = {
  read(query) {
    throw new Error(`a refused request queried the store: ${query.name}`);
  },
};

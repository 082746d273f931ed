import type {
  BotSuppression,
  Connection,
  Crawl,
  CrawlSettings,
  Export,
  ExportSchedule,
  IdempotencyRecord,
  Organisation,
  Resolution,
  Segment,
  StoredAlertSettings,
  StoredApiKey,
  StoredIngestKey,
  User,
  WebhookSecret,
  Website,
} from './model.js';
import { createSegmentSharing } from './share-library.js';
import { createTable, type Table, type TableView } from './table.js';

/**
 * The control plane in memory. Readers get the view; only the fold (fold.ts) writes. The value behind the
 * view lives on: a reader that waits for something asks for the state again afterwards.
 */

export type AggregateName =
  | 'organisation'
  | 'user'
  | 'website'
  | 'api_key'
  | 'ingest_key'
  | 'unique_name'
  | 'segment_list'
  | 'suppression_list'
  | 'resolution_list'
  | 'alert_settings'
  | 'alert'
  | 'site_event'
  | 'checkout'
  | 'report_quota'
  | 'webhook_secret'
  | 'connection'
  | 'export_list'
  | 'export_schedule'
  | 'crawl_list'
  | 'crawl_settings'
  | 'idempotency_key';

/** It waits or is being made. */
export const isOpenExport = ({ status }: Export) => status === 'pending' || status === 'processing';

/** It waits or is under way. */
export const isOpenCrawl = ({ status }: Crawl) =>
  status === 'pending_upload' || status === 'queued' || status === 'processing';

export function emptyState() {
  return {
    organisations: createTable<Organisation>([]),
    users: createTable<User, 'organisationId'>(['organisationId']),
    websites: createTable<Website, 'organisationId'>(['organisationId']),
    /** Revoked and expired ones included. */
    apiKeys: createTable<StoredApiKey, 'organisationId' | 'digest'>(['organisationId', 'digest']),
    /** Revoked ones included. */
    ingestKeys: createTable<StoredIngestKey, 'websiteId' | 'digest'>(['websiteId', 'digest']),
    segments: createTable<Segment, 'websiteId'>(['websiteId'], () => false, createSegmentSharing()),
    /** Those that have ended included, until a bot of the website is suppressed anew. */
    suppressions: createTable<BotSuppression, 'websiteId'>(['websiteId']),
    alertSettings: createTable<StoredAlertSettings>([]),
    resolutions: createTable<Resolution, 'websiteId'>(['websiteId']),
    webhookSecrets: createTable<WebhookSecret>([]),
    connections: createTable<Connection, 'websiteId'>(['websiteId']),
    /** Of the last days; marked are those that wait or are being made. */
    exports: createTable<Export, 'websiteId'>(['websiteId'], isOpenExport),
    exportSchedules: createTable<ExportSchedule>([]),
    /** The newest of each website; marked are those that wait or are under way. */
    crawls: createTable<Crawl, 'websiteId'>(['websiteId'], isOpenCrawl),
    crawlSettings: createTable<CrawlSettings>([]),
    /** Of the last 24 hours. */
    idempotencyRecords: createTable<IdempotencyRecord, 'organisationId'>(['organisationId']),
    /** How often an aggregate has changed, by `aggregate/id`; 0 where absent. Read through {@link versionOf}. */
    versions: new Map<string, number>(),
  };
}

/** What the fold writes to. */
export type WritableState = Readonly<ReturnType<typeof emptyState>>;

/** What everything else sees. */
export type ControlState = {
  readonly [Name in Exclude<keyof WritableState, 'versions'>]: WritableState[Name] extends Table<
    infer Row,
    infer Indexed
  >
    ? TableView<Row, Indexed>
    : never;
} & { readonly versions: ReadonlyMap<string, number> };

export function aggregateKey(aggregate: string, aggregateId: string): string {
  return `${aggregate}/${aggregateId}`;
}

/**
 * Whether there was one of this id and it was erased (aggregates/erasure.ts): what another replica has still decided for it
 * leaves nothing in the state.
 */
export function wasErased(
  state: ControlState,
  aggregate: 'organisation' | 'website' | 'user',
  id: string,
): boolean {
  const rows = { organisation: state.organisations, website: state.websites, user: state.users }[aggregate];
  return rows.get(id) === undefined && versionOf(state, aggregate, id) > 0;
}

/** 0: the aggregate does not exist yet. */
export function versionOf(state: ControlState, aggregate: string, aggregateId: string): number {
  return state.versions.get(aggregateKey(aggregate, aggregateId)) ?? 0;
}

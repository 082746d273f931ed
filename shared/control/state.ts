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
  | 'bot_suppression'
  | 'recommendation'
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

export interface ControlState {
  readonly organisations: TableView<Organisation>;
  readonly users: TableView<User, 'organisationId'>;
  readonly websites: TableView<Website, 'organisationId'>;
  /** Revoked and expired ones included. */
  readonly apiKeys: TableView<StoredApiKey, 'organisationId' | 'digest'>;
  /** Revoked ones included. */
  readonly ingestKeys: TableView<StoredIngestKey, 'websiteId' | 'digest'>;
  readonly segments: TableView<Segment, 'websiteId'>;
  /** Those that have ended included, until the bot is suppressed anew or let go. */
  readonly suppressions: TableView<BotSuppression, 'websiteId'>;
  readonly alertSettings: TableView<StoredAlertSettings>;
  readonly resolutions: TableView<Resolution, 'websiteId'>;
  readonly webhookSecrets: TableView<WebhookSecret>;
  readonly connections: TableView<Connection, 'websiteId'>;
  /** Of the last days; marked are those that wait or are being made. */
  readonly exports: TableView<Export, 'websiteId'>;
  readonly exportSchedules: TableView<ExportSchedule>;
  /** The newest of each website; marked are those that wait or are under way. */
  readonly crawls: TableView<Crawl, 'websiteId'>;
  readonly crawlSettings: TableView<CrawlSettings>;
  /** Of the last 24 hours. */
  readonly idempotencyRecords: TableView<IdempotencyRecord>;
  /** How often an aggregate has changed, by `aggregate/id`; 0 where absent. Read through {@link versionOf}. */
  readonly versions: ReadonlyMap<string, number>;
}

/** What the fold writes to. */
export interface WritableState extends ControlState {
  readonly organisations: Table<Organisation>;
  readonly users: Table<User, 'organisationId'>;
  readonly websites: Table<Website, 'organisationId'>;
  readonly apiKeys: Table<StoredApiKey, 'organisationId' | 'digest'>;
  readonly ingestKeys: Table<StoredIngestKey, 'websiteId' | 'digest'>;
  readonly segments: Table<Segment, 'websiteId'>;
  readonly suppressions: Table<BotSuppression, 'websiteId'>;
  readonly alertSettings: Table<StoredAlertSettings>;
  readonly resolutions: Table<Resolution, 'websiteId'>;
  readonly webhookSecrets: Table<WebhookSecret>;
  readonly connections: Table<Connection, 'websiteId'>;
  readonly exports: Table<Export, 'websiteId'>;
  readonly exportSchedules: Table<ExportSchedule>;
  readonly crawls: Table<Crawl, 'websiteId'>;
  readonly crawlSettings: Table<CrawlSettings>;
  readonly idempotencyRecords: Table<IdempotencyRecord>;
  readonly versions: Map<string, number>;
}

/** It waits or is being made. */
export const isOpenExport = ({ status }: Export) => status === 'pending' || status === 'processing';

/** It waits or is under way. */
export const isOpenCrawl = ({ status }: Crawl) =>
  status === 'pending_upload' || status === 'queued' || status === 'processing';

export function emptyState(): WritableState {
  return {
    organisations: createTable([]),
    users: createTable(['organisationId']),
    websites: createTable(['organisationId']),
    apiKeys: createTable(['organisationId', 'digest']),
    ingestKeys: createTable(['websiteId', 'digest']),
    segments: createTable(['websiteId']),
    suppressions: createTable(['websiteId']),
    alertSettings: createTable([]),
    resolutions: createTable(['websiteId']),
    webhookSecrets: createTable([]),
    connections: createTable(['websiteId']),
    exports: createTable(['websiteId'], isOpenExport),
    exportSchedules: createTable([]),
    crawls: createTable(['websiteId'], isOpenCrawl),
    crawlSettings: createTable([]),
    idempotencyRecords: createTable([]),
    versions: new Map(),
  };
}

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

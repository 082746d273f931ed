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
 * The control plane in memory. Readers get the view; only the fold (fold.ts) writes. The object behind the view
 * changes: after a wait, get the state again.
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

/** Pending or processing. */
export const isOpenExport = ({ status }: Export) => status === 'pending' || status === 'processing';

/** Waiting or in progress. */
export const isOpenCrawl = ({ status }: Crawl) =>
  status === 'pending_upload' || status === 'queued' || status === 'processing';

export function emptyState() {
  return {
    organisations: createTable<Organisation>([]),
    users: createTable<User, 'organisationId'>(['organisationId']),
    websites: createTable<Website, 'organisationId'>(['organisationId']),
    /** Including revoked and expired ones. */
    apiKeys: createTable<StoredApiKey, 'organisationId' | 'digest'>(['organisationId', 'digest']),
    /** Including revoked ones. */
    ingestKeys: createTable<StoredIngestKey, 'websiteId' | 'digest'>(['websiteId', 'digest']),
    segments: createTable<Segment, 'websiteId'>(['websiteId'], () => false, createSegmentSharing()),
    /** Including expired ones, until the bot is suppressed again or its suppression is ended. */
    suppressions: createTable<BotSuppression, 'websiteId'>(['websiteId']),
    alertSettings: createTable<StoredAlertSettings>([]),
    resolutions: createTable<Resolution, 'websiteId'>(['websiteId']),
    webhookSecrets: createTable<WebhookSecret>([]),
    connections: createTable<Connection, 'websiteId'>(['websiteId']),
    /** Those of the last days; open ones are marked. */
    exports: createTable<Export, 'websiteId'>(['websiteId'], isOpenExport),
    exportSchedules: createTable<ExportSchedule>([]),
    /** The newest of each website; open ones are marked. */
    crawls: createTable<Crawl, 'websiteId'>(['websiteId'], isOpenCrawl),
    crawlSettings: createTable<CrawlSettings>([]),
    /** Records of the last 24 hours. */
    idempotencyRecords: createTable<IdempotencyRecord, 'organisationId'>(['organisationId']),
    /** How often an aggregate has changed, by `aggregate/id`; 0 where absent. Read through {@link versionOf}. */
    versions: new Map<string, number>(),
  };
}

/** The writable state of the fold. */
export type WritableState = Readonly<ReturnType<typeof emptyState>>;

/** The read-only view for all other code. */
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
 * Whether an object with this id was erased (aggregates/erasure.ts). Concurrent decisions of another replica about it
 * do not change the state.
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

import type { Organisation, StoredApiKey, StoredIngestKey, User, Website } from './model.js';
import { createTable, type Table, type TableView } from './table.js';

/**
 * The control plane in memory. Readers get the view; only the fold (fold.ts) writes. The value behind the
 * view lives on: a reader that waits for something asks for the state again afterwards.
 */

export type AggregateName = 'organisation' | 'user' | 'website' | 'api_key' | 'ingest_key' | 'unique_name';

export interface ControlState {
  readonly organisations: TableView<Organisation>;
  readonly users: TableView<User, 'organisationId'>;
  readonly websites: TableView<Website, 'organisationId'>;
  /** Revoked and expired ones included. */
  readonly apiKeys: TableView<StoredApiKey, 'organisationId' | 'digest'>;
  /** Revoked ones included. */
  readonly ingestKeys: TableView<StoredIngestKey, 'websiteId' | 'digest'>;
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
  readonly versions: Map<string, number>;
}

export function emptyState(): WritableState {
  return {
    organisations: createTable([]),
    users: createTable(['organisationId']),
    websites: createTable(['organisationId']),
    apiKeys: createTable(['organisationId', 'digest']),
    ingestKeys: createTable(['websiteId', 'digest']),
    versions: new Map(),
  };
}

export function aggregateKey(aggregate: string, aggregateId: string): string {
  return `${aggregate}/${aggregateId}`;
}

/** 0: the aggregate does not exist yet. */
export function versionOf(state: ControlState, aggregate: string, aggregateId: string): number {
  return state.versions.get(aggregateKey(aggregate, aggregateId)) ?? 0;
}

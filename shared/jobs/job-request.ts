import type { EventLog, Position } from '../event-log/event-log.js';
import { versionedAvro } from '../schemas/versioned-avro.js';

/**
 * A record of the topic `jobs`: a job to run now, outside its schedule. Its key is the website; the owner of that
 * partition runs the job.
 */
export interface JobRequest {
  /** Name of a job (services/jobs/all-jobs.ts and open-jobs.ts). */
  readonly kind: string;
  readonly websiteId: string;
  /** Details that the job itself defines; '': the default. */
  readonly details: string;
}

/** Files of a website that an operator can request to fetch. */
export const fetchKinds = ['robots', 'sitemaps'] as const;
export type FetchKind = (typeof fetchKinds)[number];

/** The nightly checks, which an operator can also request. */
export const CHECKS = 'checks';

/** Sync of the website's connected search-performance source. */
export const SEARCH_SYNC = 'search_sync';

/** Sync of the website's connected web analytics. */
export const ANALYTICS_SYNC = 'analytics_sync';

/** Jobs that an operator can request. */
export const requestedKinds = [...fetchKinds, CHECKS, SEARCH_SYNC, ANALYTICS_SYNC] as const;

/** Builds the data of page-importance, url and urls/search. */
export const DAILY_BUILD = 'page_importance';

/** Insights of a website; the details identify them (shared/reads/insights/insight-order.ts). */
export const INSIGHTS = 'insights';

interface Demand {
  readonly kind: string;
  readonly website_id: string;
  readonly details: string;
}

const codec = versionedAvro<Demand>('jobs', 1);

/** Requests a run as soon as the website's owner has capacity. @throws LogUnavailableError */
export async function requestJob(
  log: EventLog,
  { kind, websiteId, details = '' }: Omit<JobRequest, 'details'> & Partial<JobRequest>,
): Promise<Position> {
  const value = codec.encode({ kind, website_id: websiteId, details });
  const [position] = await log.append('jobs', [{ key: websiteId, value }]);
  return position!;
}

/** @throws Error that describes the malformed bytes. */
export function decodeJobRequest(value: Buffer): JobRequest {
  const { kind, website_id, details } = codec.decode(value);
  return { kind, websiteId: website_id, details };
}

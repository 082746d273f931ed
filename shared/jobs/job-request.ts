import type { EventLog, Position } from '../event-log/event-log.js';
import { versionedAvro } from '../schemas/versioned-avro.js';

/** A record of the topic `jobs`: a job that is to run now, whatever its schedule says. Its key is the website, whose partition's owner runs it. */
export interface JobRequest {
  /** The name of a job (services/jobs/all-jobs.ts). */
  readonly kind: string;
  readonly websiteId: string;
  /** What the job is to do, in its own words; '': the usual. */
  readonly details: string;
}

/** Files of the website that an operator may have fetched. */
export const fetchKinds = ['robots', 'sitemaps'] as const;
export type FetchKind = (typeof fetchKinds)[number];

/** The nightly checks, which an operator may ask for too. */
export const CHECKS = 'checks';

/** What is read from the search-performance source that a website is connected with. */
export const SEARCH_SYNC = 'search_sync';

/** What is read from the web analytics that a website is connected with. */
export const ANALYTICS_SYNC = 'analytics_sync';

/** What an operator may ask for. */
export const requestedKinds = [...fetchKinds, CHECKS, SEARCH_SYNC, ANALYTICS_SYNC] as const;

/** What page-importance, url and urls/search read. */
export const DAILY_BUILD = 'page_importance';

/** Insights of a website; the details say which (shared/reads/insights/insight-order.ts). */
export const INSIGHTS = 'insights';

interface Demand {
  readonly kind: string;
  readonly website_id: string;
  readonly details: string;
}

const codec = versionedAvro<Demand>('jobs', 1);

/** Has the job run as soon as the owner of the website has a place for it. @throws LogUnavailableError */
export async function requestJob(
  log: EventLog,
  { kind, websiteId, details = '' }: Omit<JobRequest, 'details'> & Partial<JobRequest>,
): Promise<Position> {
  const value = codec.encode({ kind, website_id: websiteId, details });
  const [position] = await log.append('jobs', [{ key: websiteId, value }]);
  return position!;
}

/** @throws Error naming what is wrong with the bytes. */
export function decodeJobRequest(value: Buffer): JobRequest {
  const { kind, website_id, details } = codec.decode(value);
  return { kind, websiteId: website_id, details };
}

import type { Plan } from '../../../shared/control/domain/plans.js';
import type { Fetcher } from '../../../shared/fetch/fetcher.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/** The website that a job works on. */
export interface JobWebsite {
  readonly id: string;
  readonly domain: string;
  readonly organisationId: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What a job may use. */
export interface JobDeps {
  readonly clickhouse: ClickHouse;
  /** The one way to the website (shared/fetch). */
  readonly fetch: Fetcher;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
  /** The plan that counts now for the website's organisation. @throws Error where there is none: limits are never guessed. */
  readonly planOf: (website: JobWebsite) => Pick<Plan, 'listedUrls' | 'hourlyApiLimit'>;
  /** Somebody asked for this run; false: it was due. */
  readonly requested: boolean;
  /** What was asked for, in the job's own words (shared/jobs/job-request.ts); '': the usual. */
  readonly details: string;
  /** Fires when the run has had its time, or the website is another replica's: nothing more is to be written. */
  readonly signal: AbortSignal;
}

/** How a run ended that did not fail. `nothing_yet`: there was nothing to work on, so that it is tried again soon. */
// biome-ignore lint/suspicious/noConfusingVoidType: most jobs tell nothing.
export type JobResult = void | 'nothing_yet';

/**
 * What a job's runs wait for most of their time: the website itself, the store, or the language model. Each has places of its own, so that none of them holds up
 * the others.
 */
export type WaitsFor = 'website' | 'store' | 'model';

/**
 * The websites that the schedule runs a job for: those that logs came from in the last 30 days (`month`) or 90 (`quarter`), those of the last 30 days and
 * new ones (`fetched`), or `all`. Requested runs are carried out for any website.
 */
export type ScheduledFor = 'fetched' | 'month' | 'quarter' | 'all';

/**
 * Work that each website needs again and again. It must be repeatable: a run that a crash or a change of owners cut short is run again.
 * What it throws is a failure, after which it is tried again with growing waits; a website that does not answer is no failure where the job
 * has a way to note it.
 */
export interface WebsiteJob {
  /** In metrics, in the table job_runs and in requests. */
  readonly name: string;
  readonly everyMs: number;
  readonly waitsFor: WaitsFor;
  /** Default: `fetched`. */
  readonly scheduledFor?: ScheduledFor;
  /** Whether the schedule could do anything for the website; default: for every one. */
  isFor?(website: JobWebsite): boolean;
  run(website: JobWebsite, deps: JobDeps): Promise<JobResult>;
}

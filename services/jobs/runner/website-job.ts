import type { Plan } from '../../../shared/control/domain/plans.js';
import type { Fetcher } from '../../../shared/fetch/fetcher.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/** The website of a job. */
export interface JobWebsite {
  readonly id: string;
  readonly domain: string;
  readonly organisationId: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The dependencies of a job. */
export interface JobDeps {
  readonly clickhouse: ClickHouse;
  /** The guarded client for requests to the website (shared/fetch). */
  readonly fetch: Fetcher;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
  /** The current plan of the website's organisation. @throws Error if there is none: limits are never guessed */
  readonly planOf: (website: JobWebsite) => Pick<Plan, 'listedUrls' | 'hourlyApiLimit'>;
  /** A user requested this run; false: it was due. */
  readonly requested: boolean;
  /** The details of a request, in the job's own format (shared/jobs/job-request.ts); '': the usual run. */
  readonly details: string;
  /** Fires when the run's time is over, or another replica owns the website. Then nothing more may be written. */
  readonly signal: AbortSignal;
}

/** The result of a run that did not fail. `nothing_yet`: there was nothing to work on, so it runs again soon. */
// biome-ignore lint/suspicious/noConfusingVoidType: most jobs return nothing.
export type JobResult = void | 'nothing_yet';

/**
 * The resource that a job's runs mostly wait for: the website itself, the store, or the language model. Each kind has its own places, so none delays
 * the others.
 */
export type WaitsFor = 'website' | 'store' | 'model';

/**
 * The websites for which the schedule runs a job: those with logs in the last 30 days (`month`) or 90 (`quarter`), those with logs in the last 30 days and
 * new ones (`fetched`), or `all`. Requested runs are carried out for any website.
 */
export type ScheduledFor = 'fetched' | 'month' | 'quarter' | 'all';

/**
 * Recurring work for each website. It must be repeatable: a run that a crash or a change of owners interrupts is run again.
 * A thrown error is a failure, and the job is retried with growing waits. A website that does not respond is no failure if the job
 * can record it.
 */
export interface WebsiteJob {
  /** Used in metrics, in the table job_runs and in requests. */
  readonly name: string;
  readonly everyMs: number;
  readonly waitsFor: WaitsFor;
  /** Default: `fetched`. */
  readonly scheduledFor?: ScheduledFor;
  /** Whether the schedule should run it for the website; default: for every website. */
  isFor?(website: JobWebsite): boolean;
  run(website: JobWebsite, deps: JobDeps): Promise<JobResult>;
}

import { MINUTE_MS } from '../../../shared/durations.js';
import type { Assignment } from './assignments.js';
import type { DueJob } from './due-jobs.js';
import type { Beginning } from './due-queue.js';
import type { LastRuns } from './last-runs.js';
import type { Places } from './places.js';
import type { RunCall, RunOptions } from './run-and-record.js';
import type { WaitingRequest } from './waiting-requests.js';
import type { JobWebsite, WebsiteJob } from './website-job.js';

/** A request may arrive before its website, because both travel through the log. */
const UNKNOWN_WEBSITE_MS = MINUTE_MS;

export interface BeginOptions extends Pick<RunOptions, 'websiteOf' | 'logger' | 'deps'> {
  /** In the order in which due jobs run: a later job may read the data of an earlier one. */
  readonly jobs: readonly WebsiteJob[];
  /** The assignment of the website's partition; undefined: another replica owns it. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
  readonly lastRuns: LastRuns;
  readonly places: Places;
  /** Never rejects. @returns whether it ran */
  readonly run: (website: JobWebsite, job: WebsiteJob, call: RunCall) => Promise<boolean>;
  /** Called when a place becomes free. */
  readonly onEnded: () => void;
}

/** Starts runs that are allowed and have a place. */
export function createBeginnings(options: BeginOptions) {
  const { jobs, websiteOf, logger, lastRuns, places } = options;
  const { now } = options.deps;

  async function begin(
    { website, job, assignment }: Parameters<Places['occupy']>[0],
    { requested, details }: Pick<RunCall, 'requested' | 'details'>,
  ): Promise<boolean> {
    const ran = await places.occupy({ website, job, assignment }, (leaving, givenUp) =>
      options.run(website, job, { leaving, givenUp, requested, details }),
    );
    options.onEnded();
    return ran;
  }

  return {
    /** @returns whether the request is finished: it has begun, or never will */
    beginRequested({ kind, websiteId, details, assignment, since, answer }: WaitingRequest): boolean {
      const website = websiteOf(websiteId);
      const job = jobs.find(({ name }) => name === kind);
      if (website === undefined || job === undefined) {
        if (job !== undefined && now() - since < UNKNOWN_WEBSITE_MS) return false;
        logger.warn({ kind, website_id: websiteId }, 'a request for an unknown job or website');
        answer(true);
        return true;
      }
      // After partitions were added, another replica may run a job of the website at the same time, as in any change of owners.
      if (!assignment.isReady || !places.hasPlace(website, job)) return false;
      void begin({ website, job, assignment }, { requested: true, details }).then(answer);
      return true;
    },
    beginDue({ website, job }: DueJob): Beginning {
      const assignment = options.assignmentOf(website.id);
      if (assignment?.isReady !== true || websiteOf(website.id) === undefined) return 'dropped';
      // A request may have run it since the scan.
      if (lastRuns.nextAt(website.id, job.name) > now()) return 'dropped';
      if (!places.hasPlace(website, job)) return 'waits';
      void begin({ website, job, assignment }, { requested: false, details: '' });
      return 'begun';
    },
  };
}

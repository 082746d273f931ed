import { MINUTE_MS } from '../../../shared/durations.js';
import type { Assignment } from './assignments.js';
import type { JobWebsite, WaitsFor, WebsiteJob } from './website-job.js';

/** The limits of runs: in total, and per organisation. */
interface Bounds {
  readonly all: number;
  readonly ofOrganisation: number;
}

const bounds: Readonly<Record<WaitsFor, Bounds>> = {
  website: { all: 16, ofOrganisation: 4 },
  store: { all: 4, ofOrganisation: 2 },
  // A self-hosted model answers few requests at once.
  model: { all: 4, ofOrganisation: 2 },
};

/** How long a run that waits for its website keeps its place, even if other organisations wait. */
const KEEP_MS = 2 * MINUTE_MS;

interface Running {
  readonly website: JobWebsite;
  readonly job: WebsiteJob;
  readonly since: number;
  readonly assignment: Assignment;
  readonly leaving: AbortController;
  readonly givenUp: AbortController;
  readonly ended: Promise<boolean>;
}

export type Places = ReturnType<typeof createPlaces>;

/** A website has one run per lane. Insights have their own lane, since no other job reads their output. */
const laneOf = (websiteId: string, waitsFor: WaitsFor) =>
  `${websiteId} ${waitsFor === 'model' ? 'asks' : 'works'}`;

/** The runs under way, and the free places. */
export function createPlaces(now: () => number) {
  const running = new Map<string, Running>();
  const runsOf = (waitsFor: WaitsFor) => [...running.values()].filter(({ job }) => job.waitsFor === waitsFor);
  const countOf = (organisationId: string, waitsFor: WaitsFor) =>
    runsOf(waitsFor).filter(({ website }) => website.organisationId === organisationId).length;
  /** Whether the organisation may have another run. */
  const hasShare = (organisationId: string, waitsFor: WaitsFor) =>
    countOf(organisationId, waitsFor) < bounds[waitsFor].ofOrganisation;
  const isFull = (waitsFor: WaitsFor) => runsOf(waitsFor).length >= bounds[waitsFor].all;
  const isIdle = (websiteId: string, { waitsFor }: Pick<WebsiteJob, 'waitsFor'>) =>
    !running.has(laneOf(websiteId, waitsFor));

  return {
    count: () => running.size,
    countOf,
    hasShare,
    isFull,
    /** Whether no run of the website blocks the job. */
    isIdle,
    hasPlace({ id, organisationId }: JobWebsite, job: Pick<WebsiteJob, 'waitsFor'>): boolean {
      return isIdle(id, job) && !isFull(job.waitsFor) && hasShare(organisationId, job.waitsFor);
    },
    /**
     * Occupies a place until the run has ended.
     * @param run never rejects. @returns its result
     */
    occupy(
      { website, job, assignment }: Pick<Running, 'website' | 'job' | 'assignment'>,
      run: (leaving: AbortSignal, givenUp: AbortSignal) => Promise<boolean>,
    ): Promise<boolean> {
      const [leaving, givenUp] = [new AbortController(), new AbortController()];
      const lane = laneOf(website.id, job.waitsFor);
      const ended = run(leaving.signal, givenUp.signal).finally(() => running.delete(lane));
      running.set(lane, { website, job, since: now(), assignment, leaving, givenUp, ended });
      return ended;
    },
    /**
     * If all places of jobs that wait for websites are taken, ends long runs. The organisation with the most runs comes first.
     * @param wanted the number of organisations that wait and have no run
     */
    giveUp(wanted: number): void {
      if (!isFull('website')) return;
      const runs = runsOf('website');
      const open = runs.filter(({ givenUp, since }) => !givenUp.signal.aborted && now() - since >= KEEP_MS);
      const ending = runs.filter(({ givenUp }) => givenUp.signal.aborted).length;
      const share = ({ website }: Running) => countOf(website.organisationId, 'website');
      open.sort((one, other) => share(other) - share(one) || one.since - other.since);
      for (const { givenUp } of open.slice(0, Math.max(0, wanted - ending)))
        givenUp.abort(new Error('other organisations waited for the place'));
    },
    /** Aborts runs and waits until they have ended. */
    async end(isMeant: (run: Running) => boolean, reason: Error): Promise<void> {
      const ending = [...running.values()].filter(isMeant);
      for (const { leaving } of ending) leaving.abort(reason);
      await Promise.all(ending.map(({ ended }) => ended));
    },
  };
}

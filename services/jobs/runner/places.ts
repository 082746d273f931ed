import { MINUTE_MS } from '../../../shared/durations.js';
import type { Assignment } from './assignments.js';
import type { JobWebsite, WaitsFor, WebsiteJob } from './website-job.js';

/** Runs of all websites together, and of those of one organisation. */
interface Bounds {
  readonly all: number;
  readonly ofOrganisation: number;
}

const bounds: Readonly<Record<WaitsFor, Bounds>> = {
  website: { all: 16, ofOrganisation: 4 },
  store: { all: 4, ofOrganisation: 2 },
  // A model of one's own answers few at once.
  model: { all: 4, ofOrganisation: 2 },
};

/** A run that waits for its website keeps its place for as long, whoever waits. */
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

/** Lane: a website has one run a lane. Insights have their own lane, since no other job reads their output. */
const laneOf = (websiteId: string, waitsFor: WaitsFor) =>
  `${websiteId} ${waitsFor === 'model' ? 'asks' : 'works'}`;

/** The runs that are under way, and whether there is a place for another one. */
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
    /** Whether nothing of the website is under way that the job would have to wait for. */
    isIdle,
    hasPlace({ id, organisationId }: JobWebsite, job: Pick<WebsiteJob, 'waitsFor'>): boolean {
      return isIdle(id, job) && !isFull(job.waitsFor) && hasShare(organisationId, job.waitsFor);
    },
    /**
     * Holds a place until the run has ended.
     * @param run never rejects. @returns what it resolves to.
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
     * Where all places of jobs that wait for websites are taken, runs that have had theirs for long give them up: of the organisation with most runs first.
     * @param wanted how many organisations wait and have none.
     */
    giveUp(wanted: number): void {
      if (!isFull('website')) return;
      const runs = runsOf('website');
      const open = runs.filter(({ givenUp, since }) => !givenUp.signal.aborted && now() - since >= KEEP_MS);
      const ending = runs.filter(({ givenUp }) => givenUp.signal.aborted).length;
      const share = ({ website }: Running) => countOf(website.organisationId, 'website');
      open.sort((one, other) => share(other) - share(one) || one.since - other.since);
      for (const { givenUp } of open.slice(0, Math.max(0, wanted - ending)))
        givenUp.abort(new Error('others waited for the place'));
    },
    /** Tells runs to end. Resolves when they have. */
    async end(isMeant: (run: Running) => boolean, reason: Error): Promise<void> {
      const ending = [...running.values()].filter(isMeant);
      for (const { leaving } of ending) leaving.abort(reason);
      await Promise.all(ending.map(({ ended }) => ended));
    },
  };
}

import { MINUTE_MS } from '../../../shared/durations.js';
import type { JobWebsite, WebsiteJob } from '../website-job.js';
import type { Assignment } from './assignments.js';

/** Runs of all websites together, and of those of one organisation. */
interface Bounds {
  readonly all: number;
  readonly ofOrganisation: number;
}

/** Those that wait for websites, up to the time limit, hold no place of those that read the store alone. */
const bounds: { readonly fetching: Bounds; readonly computing: Bounds } = {
  fetching: { all: 16, ofOrganisation: 4 },
  computing: { all: 4, ofOrganisation: 2 },
};
const boundsOf = (fetches: boolean) => (fetches ? bounds.fetching : bounds.computing);

/** A run that fetches keeps its place for as long, whoever waits. */
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

/** The runs that are under way, and whether there is a place for another one. One job of a website at a time. */
export function createPlaces(now: () => number) {
  const running = new Map<string, Running>();
  const runsOf = (fetches: boolean) => [...running.values()].filter(({ job }) => job.fetches === fetches);
  const countOf = (organisationId: string, fetches: boolean) =>
    runsOf(fetches).filter(({ website }) => website.organisationId === organisationId).length;
  /** Whether the organisation may have another run. */
  const hasShare = (organisationId: string, fetches: boolean) =>
    countOf(organisationId, fetches) < boundsOf(fetches).ofOrganisation;
  const isFull = (fetches: boolean) => runsOf(fetches).length >= boundsOf(fetches).all;

  return {
    count: () => running.size,
    countOf,
    hasShare,
    isFull,
    isRunning: (websiteId: string) => running.has(websiteId),
    hasPlace({ id, organisationId }: JobWebsite, { name, fetches, atOnce = Infinity }: WebsiteJob): boolean {
      if (running.has(id) || isFull(fetches)) return false;
      if (runsOf(fetches).filter(({ job }) => job.name === name).length >= atOnce) return false;
      return hasShare(organisationId, fetches);
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
      const ended = run(leaving.signal, givenUp.signal).finally(() => running.delete(website.id));
      running.set(website.id, { website, job, since: now(), assignment, leaving, givenUp, ended });
      return ended;
    },
    /**
     * Where all places of jobs that fetch are taken, runs that have had theirs for long give them up: of the organisation with most runs first.
     * @param wanted how many organisations wait and have none.
     */
    giveUp(wanted: number): void {
      if (!isFull(true)) return;
      const runs = runsOf(true);
      const open = runs.filter(
        ({ job, givenUp, since }) =>
          job.atOnce === undefined && !givenUp.signal.aborted && now() - since >= KEEP_MS,
      );
      const ending = runs.filter(({ givenUp }) => givenUp.signal.aborted).length;
      const share = ({ website }: Running) => countOf(website.organisationId, true);
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

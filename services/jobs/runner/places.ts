import type { JobWebsite } from '../website-job.js';
import type { Assignment } from './assignments.js';

/** Runs of all websites together, and of those of one organisation: websites that do not answer hold their places up to the time limit. */
const MAX_RUNNING = 16;
const MAX_RUNNING_PER_ORGANISATION = 4;

interface Running {
  readonly website: JobWebsite;
  readonly assignment: Assignment;
  readonly leaving: AbortController;
  readonly ended: Promise<boolean>;
}

export type Places = ReturnType<typeof createPlaces>;

/** The runs that are under way, and whether there is a place for another one. One job of a website at a time. */
export function createPlaces() {
  const running = new Map<string, Running>();
  return {
    count: () => running.size,
    isRunning: (websiteId: string) => running.has(websiteId),
    hasPlace({ id, organisationId }: JobWebsite): boolean {
      if (running.size >= MAX_RUNNING || running.has(id)) return false;
      let ofOrganisation = 0;
      for (const { website } of running.values())
        if (website.organisationId === organisationId) ofOrganisation += 1;
      return ofOrganisation < MAX_RUNNING_PER_ORGANISATION;
    },
    /**
     * Holds a place until the run has ended.
     * @param run never rejects. @returns what it resolves to.
     */
    occupy(
      website: JobWebsite,
      assignment: Assignment,
      run: (leaving: AbortSignal) => Promise<boolean>,
    ): Promise<boolean> {
      const leaving = new AbortController();
      const ended = run(leaving.signal).finally(() => running.delete(website.id));
      running.set(website.id, { website, assignment, leaving, ended });
      return ended;
    },
    /** Tells runs to end. Resolves when they have. */
    async end(isMeant: (run: Running) => boolean, reason: Error): Promise<void> {
      const ending = [...running.values()].filter(isMeant);
      for (const { leaving } of ending) leaving.abort(reason);
      await Promise.all(ending.map(({ ended }) => ended));
    },
  };
}

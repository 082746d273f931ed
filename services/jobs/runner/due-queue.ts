import type { DueJob } from './due-jobs.js';
import type { Places } from './places.js';
import { createServingOrder } from './serving-order.js';
import type { WaitsFor } from './website-job.js';

/** `waits`: it may begin later. `dropped`: it never will. */
export type Beginning = 'begun' | 'waits' | 'dropped';

/** Due jobs by organisation, the longest due first. */
type Lines = Map<string, DueJob[]>;

/**
 * The due jobs that have not begun. Organisations alternate, so one waits for the next runs of the others and never for all of their websites. The
 * organisation with the fewest runs under way comes first; of equals, the one whose last run began longest ago.
 */
export function createDueQueue(places: Places) {
  const lines = new Map<WaitsFor, Lines>();
  const order = createServingOrder();

  function fillPlaces(waitsFor: WaitsFor, begin: (due: DueJob) => Beginning): void {
    const own = lines.get(waitsFor) ?? new Map();
    const open = new Set<string>(own.keys());
    while (!places.isFull(waitsFor)) {
      const organisation = order.next(open, (id) => places.countOf(id, waitsFor));
      // It has the fewest runs. So no other organisation has a free share, and the loop may end.
      if (organisation === undefined || !places.hasShare(organisation, waitsFor)) return;
      if (beginFirst(own.get(organisation)!, begin)) order.serve(organisation);
      else open.delete(organisation);
      if (own.get(organisation)!.length === 0) {
        own.delete(organisation);
        open.delete(organisation);
      }
    }
  }

  return {
    count: () =>
      [...lines.values()].flatMap((own) => [...own.values()]).reduce((sum, { length }) => sum + length, 0),
    /** @param due all due jobs, the longest due first */
    set(due: readonly DueJob[]): void {
      lines.clear();
      for (const one of due) {
        const own: Lines = lines.get(one.job.waitsFor) ?? new Map();
        lines.set(one.job.waitsFor, own);
        const line = own.get(one.website.organisationId);
        if (line === undefined) own.set(one.website.organisationId, [one]);
        else line.push(one);
      }
    },
    /** Starts as many as there are places, and takes back long-occupied places for organisations without any. */
    fill(begin: (due: DueJob) => Beginning): void {
      for (const waitsFor of lines.keys()) fillPlaces(waitsFor, begin);
      const waiting = [...(lines.get('website')?.keys() ?? [])];
      places.giveUp(waiting.filter((id) => places.countOf(id, 'website') === 0).length);
    },
  };
}

/** Removes the job that begins, and those that never will. */
function beginFirst(line: DueJob[], begin: (due: DueJob) => Beginning): boolean {
  let at = 0;
  while (at < line.length) {
    const beginning = begin(line[at]!);
    if (beginning === 'waits') at += 1;
    else line.splice(at, 1);
    if (beginning === 'begun') return true;
  }
  return false;
}

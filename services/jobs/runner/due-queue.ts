import type { DueJob } from './due-jobs.js';
import type { Places } from './places.js';
import { createServingOrder } from './serving-order.js';
import type { WaitsFor } from './website-job.js';

/** `waits`: it may begin later. `dropped`: it never will. */
export type Beginning = 'begun' | 'waits' | 'dropped';

/** Of an organisation, the longest due first. */
type Lines = Map<string, DueJob[]>;

/**
 * What is due and has not begun. Organisations take turns, so that one waits for the others' next runs and never for all of their websites: first the
 * one with fewest runs under way, of these the one whose last run began longest ago.
 */
export function createDueQueue(places: Places) {
  const lines = new Map<WaitsFor, Lines>();
  const order = createServingOrder();

  function fillPlaces(waitsFor: WaitsFor, begin: (due: DueJob) => Beginning): void {
    const own = lines.get(waitsFor) ?? new Map();
    const open = new Set<string>(own.keys());
    while (!places.isFull(waitsFor)) {
      const organisation = order.next(open, (id) => places.countOf(id, waitsFor));
      // It has fewest runs: no other has a share left, and none of its lines need be looked at.
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
    /** @param due all of it, the longest due first. */
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
    /** Begins what there are places for, and has those taken that are held for long while organisations have none. */
    fill(begin: (due: DueJob) => Beginning): void {
      for (const waitsFor of lines.keys()) fillPlaces(waitsFor, begin);
      const waiting = [...(lines.get('website')?.keys() ?? [])];
      places.giveUp(waiting.filter((id) => places.countOf(id, 'website') === 0).length);
    },
  };
}

/** Takes out what begins, and what never will. */
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

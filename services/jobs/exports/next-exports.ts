import type { Export } from '../../../shared/control/model.js';

/** Exports that this replica makes at once. */
const PLACES = 2;
/** Of organisations whose last turn is remembered. */
const MOST_SERVED = 10_000;

/** Organisations take turns, each with one place. @returns what chooses the exports that begin now */
export function createFairChoice() {
  /** When each organisation was last served. */
  const served = new Map<string, number>();
  let turn = 0;
  const turnOf = ({ organisationId }: Export) => served.get(organisationId) ?? 0;

  /** @param waiting may begin now. @param running those that have a place. */
  return (waiting: readonly Export[], running: readonly Export[]): Export[] => {
    if (served.size > MOST_SERVED) served.clear();
    const busy = new Set(running.map(({ organisationId }) => organisationId));
    const chosen: Export[] = [];
    for (const next of waiting.toSorted((one, other) => turnOf(one) - turnOf(other))) {
      if (running.length + chosen.length >= PLACES) break;
      if (busy.has(next.organisationId)) continue;
      busy.add(next.organisationId);
      served.set(next.organisationId, ++turn);
      chosen.push(next);
    }
    return chosen;
  };
}

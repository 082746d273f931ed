import type { Cluster } from './cluster.js';
import { type Fault, faults } from './faults.js';

/**
 * Returns faults in a random order. Every fault that this cluster supports comes once before any comes again.
 * FAULTS selects faults by parts of their names, to find the cause of a failure.
 */
export function createFaultBag(
  cluster: Cluster,
  random: () => number,
  among: (fault: Fault) => boolean = () => true,
  all: readonly Fault[] = faults,
): () => Fault {
  const wanted = process.env.FAULTS ?? '';
  const possible = all.filter(
    (fault) =>
      among(fault) &&
      fault.name.includes(wanted) &&
      (!fault.ofBroker || cluster.kafka.stopBroker !== undefined) &&
      (fault.possible ?? (() => true))(cluster),
  );
  if (possible.length === 0) throw new Error(`no fault can be made here (FAULTS=${wanted})`);
  let bag: Fault[] = [];
  return () => {
    if (bag.length === 0) bag = [...possible];
    const [fault] = bag.splice(Math.floor(random() * bag.length), 1) as [Fault];
    return fault;
  };
}

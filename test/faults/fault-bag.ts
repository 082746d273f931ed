import type { Cluster } from './cluster.js';
import { type Fault, faults } from './faults.js';

/**
 * Faults in a random order; every one that this cluster lets us make has its turn before one comes again.
 * FAULTS names some of them by a part of their names, where one looks for the cause of something.
 */
export function createFaultBag(cluster: Cluster, random: () => number): () => Fault {
  const wanted = process.env.FAULTS ?? '';
  const possible = faults.filter(
    ({ name, ofBroker, possible = () => true }) =>
      name.includes(wanted) && (!ofBroker || cluster.kafka.stopBroker !== undefined) && possible(cluster),
  );
  let bag: Fault[] = [];
  return () => {
    if (bag.length === 0) bag = [...possible];
    const [fault] = bag.splice(Math.floor(random() * bag.length), 1) as [Fault];
    return fault;
  };
}

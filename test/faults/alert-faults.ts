import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import { type Fault, faults, killAndRestart } from './faults.js';

/** Faults between a stored request and its alert message. After each fault everything runs again. */

/** Longer than a consumer group session: after the pause the partitions of the process belong to another. */
const SHORTEST_HANG_MS = 8_000;

const hang = (service: string): Fault => ({
  name: `${service} hangs until its partitions are another's`,
  async strike(cluster, random) {
    const pid = cluster.pidOf(service);
    process.kill(pid, 'SIGSTOP');
    await sleep(SHORTEST_HANG_MS + 4_000 * random());
    process.kill(pid, 'SIGCONT');
  },
});

const killBoth = (one: string, other: string): Fault => ({
  name: `kill -9 ${one} and ${other}`,
  async strike(cluster) {
    await Promise.all([cluster.kill(one), cluster.kill(other)]);
    await Promise.all([cluster.start(one), cluster.start(other)]);
  },
});

const leaveAndReturn = (service: string): Fault => ({
  name: `${service} leaves and comes back`,
  async strike(cluster, random) {
    await cluster.stop(service);
    await sleep(2_000 * random());
    await cluster.start(service);
  },
});

const addPartition = (topic: Parameters<Cluster['addPartition']>[0]): Fault => ({
  name: `a partition is added to ${topic}`,
  async strike(cluster, random) {
    await cluster.addPartition(topic);
    await sleep(2_000 * random());
  },
});

/**
 * Maximum number of repeated messages of a fault. A process that ends, or loses its partition while the store is unavailable, has two
 * e-mails per organisation in flight (services/jobs/notifications/dispatch-deliveries.ts).
 */
export function mostRepeatsOf({ name }: Fault): number {
  if (name.includes('jobs-1 and jobs-2')) return 4;
  return /jobs|^ClickHouse|^broker|alerts$/.test(name) ? 2 : 0;
}

export const alertFaults: readonly Fault[] = [
  killAndRestart('detector-1'),
  killAndRestart('detector-2'),
  killBoth('detector-1', 'detector-2'),
  hang('detector-1'),
  leaveAndReturn('detector-2'),
  {
    name: 'a third detector comes and goes',
    async strike(cluster, random) {
      await cluster.start('detector-3');
      await sleep(6_000 * random());
      await cluster.stop('detector-3');
    },
  },
  addPartition('requests.stored'),
  addPartition('alerts'),
  killAndRestart('enricher-1'),
  killAndRestart('jobs-1'),
  killBoth('jobs-1', 'jobs-2'),
  hang('jobs-2'),
  ...faults.filter(({ name }) => name.startsWith('ClickHouse') || name.startsWith('broker')),
];

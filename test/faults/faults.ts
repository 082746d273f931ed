import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';

/** What may go wrong while uploads stream in. Each leaves everything running again. */
export interface Fault {
  readonly name: string;
  /** Takes the broker away: only where it is ours. */
  readonly ofBroker?: boolean;
  /** @param random in [0, 1), for the moments */
  strike(cluster: Cluster, random: () => number): Promise<void>;
}

const killAndRestart = (service: string): Fault => ({
  name: `kill -9 ${service}`,
  async strike(cluster, random) {
    await cluster.kill(service);
    await sleep(500 * random());
    await cluster.start(service);
  },
});

const SHORTEST_OUTAGE_MS = 1_000;
const outage = (random: () => number) => sleep(SHORTEST_OUTAGE_MS + 3_000 * random());

export const faults: readonly Fault[] = [
  killAndRestart('ingest'),
  killAndRestart('enricher-1'),
  killAndRestart('enricher-2'),
  killAndRestart('api-1'),
  {
    name: 'kill -9 both enrichers',
    async strike(cluster) {
      await Promise.all([cluster.kill('enricher-1'), cluster.kill('enricher-2')]);
      await Promise.all([cluster.start('enricher-1'), cluster.start('enricher-2')]);
    },
  },
  {
    name: 'broker killed and started again',
    ofBroker: true,
    async strike(cluster, random) {
      await cluster.kafka.stopBroker?.('SIGKILL');
      await outage(random);
      await cluster.kafka.startBroker?.();
    },
  },
  {
    name: 'broker stopped and started again',
    ofBroker: true,
    async strike(cluster, random) {
      await cluster.kafka.stopBroker?.('SIGTERM');
      await outage(random);
      await cluster.kafka.startBroker?.();
    },
  },
  {
    name: 'ClickHouse refuses connections',
    async strike(cluster, random) {
      cluster.clickhouseProxy.refuse();
      await outage(random);
      cluster.clickhouseProxy.pass();
    },
  },
  {
    name: 'ClickHouse breaks off and is slow',
    async strike(cluster, random) {
      cluster.clickhouseProxy.refuse();
      cluster.clickhouseProxy.slow(300);
      await outage(random);
      cluster.clickhouseProxy.pass();
    },
  },
  {
    name: 'a third enricher comes and goes',
    async strike(cluster, random) {
      await cluster.start('enricher-3');
      await sleep(2_000 * random());
      await cluster.stop('enricher-3');
    },
  },
  {
    name: 'an enricher leaves and comes back',
    async strike(cluster, random) {
      await cluster.stop('enricher-2');
      await sleep(1_000 * random());
      await cluster.start('enricher-2');
    },
  },
];

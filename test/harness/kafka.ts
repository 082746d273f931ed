import { createLocalBroker } from './kafka-broker.js';
import { kafkaClassPath } from './kafka-jars.js';

/** A real Kafka for tests. */
export interface TestKafka {
  /** `host:port`, comma-separated, as in KAFKA_BROKERS. */
  readonly brokers: string;
  /** Of the broker's process, where it is one of this machine and runs. */
  readonly pid?: () => number | undefined;
  /** Present where the broker is ours to take away: then and there with SIGKILL, or in order with SIGTERM. */
  readonly stopBroker?: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** After {@link stopBroker}: the same ports and data. Resolves when it answers. */
  readonly startBroker?: () => Promise<void>;
  /** SIGSTOP makes the broker hang with its connections open, SIGCONT goes on. */
  readonly signalBroker?: (signal: 'SIGSTOP' | 'SIGCONT') => Promise<void>;
  /** While it is stopped: the broker loses what stands at `end` and behind it, as by a power cut. Returns the new end. */
  readonly cutTail?: (topic: string, partition: number, end: number) => number;
  /** Kills the broker and starts it again. */
  readonly restart?: () => Promise<void>;
  /** Ends it and removes its data; a broker of KAFKA_BROKERS is left alone. */
  stop(): Promise<void>;
}

/**
 * Finds a broker: KAFKA_BROKERS, else Java 17 or newer with Kafka's jars. Fetching these takes some seconds once, a start two to
 * five.
 * @returns null, after one line that says so, where there is none
 * @throws instead where CI is set
 */
export async function startTestKafka(): Promise<TestKafka | null> {
  const given = process.env.KAFKA_BROKERS;
  if (given) return { brokers: given, async stop() {} };
  const found = await inJava();
  if (found) return found;
  const reason = 'no Kafka for tests: neither KAFKA_BROKERS nor Java 17 with Maven';
  if (process.env.CI) throw new Error(reason);
  console.warn(`${reason}; tests that need one are skipped`);
  return null;
}

async function inJava(): Promise<TestKafka | null> {
  const classPath = await kafkaClassPath();
  if (!classPath) return null;
  const broker = await createLocalBroker(classPath);
  await broker.start();
  return {
    brokers: broker.brokers,
    pid: broker.pid,
    stopBroker: (signal = 'SIGKILL') => broker.stop(signal),
    startBroker: broker.start,
    signalBroker: broker.signal,
    cutTail: broker.cutTail,
    async restart() {
      await broker.stop('SIGKILL');
      await broker.start();
    },
    stop: broker.destroy,
  };
}

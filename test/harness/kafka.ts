import { createLocalBroker } from './kafka-broker.js';
import { kafkaClassPath } from './kafka-jars.js';

/** A real Kafka for tests. */
export interface TestKafka {
  /** `host:port`, comma-separated, as in KAFKA_BROKERS. */
  readonly brokers: string;
  /** The broker's process id, if it runs on this machine. */
  readonly pid?: () => number | undefined;
  /** Present if the tests own the broker: stops it with SIGKILL or, in order, with SIGTERM. */
  readonly stopBroker?: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Restarts it after {@link stopBroker} on the same ports and data. Resolves when it answers. */
  readonly startBroker?: () => Promise<void>;
  /** SIGSTOP suspends the broker with its connections open, SIGCONT resumes it. */
  readonly signalBroker?: (signal: 'SIGSTOP' | 'SIGCONT') => Promise<void>;
  /**
   * Removes the records from `end` on of a stopped broker, as a power failure does.
   * @returns the new end
   */
  readonly cutTail?: (topic: string, partition: number, end: number) => number;
  /** Kills the broker and starts it again. */
  readonly restart?: () => Promise<void>;
  /** Ends it and removes its data; a broker of KAFKA_BROKERS is not changed. */
  stop(): Promise<void>;
}

/**
 * Finds a broker: KAFKA_BROKERS, else Java 17 or newer with Kafka's jars. The first fetch takes some seconds,
 * a start two to five.
 * @returns null, after a message, if there is none
 * @throws instead if CI is set
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

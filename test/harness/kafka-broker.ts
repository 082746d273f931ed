import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { endWithThisProcess } from './end-with-this-process.js';
import { freePort } from './free-port.js';
import { cutTail } from './kafka-tail.js';

/** One Kafka broker and controller in one Java process, on free ports, in a separate folder. */

export interface LocalBroker {
  readonly brokers: string;
  /**
   * The listener that requires logins and allows only what ACLs grant; `brokers` is the administrator's
   * listener. Absent without logins.
   */
  readonly loginBrokers?: string;
  /** Starts it, also again on the same ports and data; resolves when it answers. */
  start(): Promise<void>;
  /** The Java process's id while it runs. */
  pid(): number | undefined;
  /** SIGTERM is a controlled shutdown, SIGKILL a crash. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** SIGSTOP suspends it with its connections open, SIGCONT resumes it. Resolves after the change. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /**
   * Removes the unsynced tail of a stopped broker's partition from `end` on ({@link cutTail}).
   * @returns the new end
   */
  cutTail(topic: string, partition: number, end: number): number;
  /** Ends it and removes its data. */
  destroy(): Promise<void>;
}

const run = promisify(execFile);
const START_TIMEOUT_MS = 90_000;

/** @param logins user names, which are also the passwords */
export async function createLocalBroker(classPath: string, logins?: readonly string[]): Promise<LocalBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'kafka-'));
  const port = await freePort();
  const controllerPort = await freePort();
  const loginPort = await freePort();
  const brokers = `127.0.0.1:${port}`;
  const properties = join(folder, 'server.properties');
  writeFileSync(
    properties,
    [
      serverProperties(port, controllerPort, join(folder, 'data')),
      // The last of several equal properties counts.
      ...(logins ? [loginProperties(port, controllerPort, loginPort, logins)] : []),
    ].join(''),
  );
  const java = ['-Xmx512m', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-cp', classPath];
  const clusterId = randomBytes(16).toString('base64url');
  await run('java', [
    ...java,
    'kafka.tools.StorageTool',
    'format',
    `--cluster-id=${clusterId}`,
    '-c',
    properties,
  ]);
  const logFile = join(folder, 'broker.log');
  let child: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();

  async function start(): Promise<void> {
    const log = openSync(logFile, 'a');
    const started = spawn('java', [...java, 'kafka.Kafka', properties], { stdio: ['ignore', log, log] });
    closeSync(log);
    child = started;
    endWithThisProcess(started, folder);
    ended = new Promise((resolve) => started.once('close', resolve));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await answers(brokers))) {
      if (started.exitCode !== null || Date.now() > deadline) {
        throw new Error(`Kafka did not start:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`);
      }
      await sleep(100);
    }
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    child?.kill(signal);
    await ended;
    child = null;
  }

  return {
    brokers,
    ...(logins && { loginBrokers: `127.0.0.1:${loginPort}` }),
    start,
    pid: () => child?.pid,
    stop,
    async signal(signal) {
      child?.kill(signal);
      // On busy cores it answers for some more milliseconds, until its signal thread runs.
      await sleep(300);
    },
    cutTail: (topic, partition, end) => cutTail(join(folder, 'data'), topic, partition, end),
    async destroy() {
      await stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Few threads and partitions: the broker shares two cores with the tests. */
function serverProperties(port: number, controllerPort: number, data: string): string {
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': data,
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 3,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 3,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1000,
    // How long a killed broker's registration is kept before its next start may register: 9 s by default.
    'broker.session.timeout.ms': 1500,
    'broker.heartbeat.interval.ms': 300,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.cleaner.dedupe.buffer.size': 8 * 1024 ** 2,
    // Preallocated index files of 10 MiB each would fill the disk with many small topics.
    'log.index.size.max.bytes': 1024 ** 2,
    'controlled.shutdown.enable': true,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/**
 * Settings of a second listener that asks for a name and a password. Clients of the first listener may do everything.
 */
function loginProperties(
  port: number,
  controllerPort: number,
  loginPort: number,
  logins: readonly string[],
): string {
  const users = logins.map((name) => `user_${name}="${name}"`).join(' ');
  return Object.entries({
    listeners: `PLAINTEXT://127.0.0.1:${port},LOGIN://127.0.0.1:${loginPort},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port},LOGIN://127.0.0.1:${loginPort}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,LOGIN:SASL_PLAINTEXT',
    'inter.broker.listener.name': 'PLAINTEXT',
    'sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.login.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required ${users};`,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Whether a broker answers and works. */
async function answers(brokers: string): Promise<boolean> {
  const admin = new Kafka({
    brokers: [brokers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    connectionTimeout: 1_000,
    requestTimeout: 3_000,
  }).admin();
  try {
    await admin.connect();
    const { brokers: known } = await admin.describeCluster();
    return known.length > 0;
  } catch {
    return false;
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

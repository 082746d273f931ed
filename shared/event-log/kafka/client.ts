import { type ConnectionOptions, rootCertificates } from 'node:tls';
import { Kafka, type KafkaConfig, type LogEntry, logLevel, type SASLOptions } from 'kafkajs';
import { warnLimited } from '../../logging/limit-warnings.js';
import type { Logger } from '../../logging/log.js';
import { useGzipCodec } from './gzip-codec.js';

/** Connection to the brokers. Durations are milliseconds. */
export interface KafkaConnection {
  /** `host:port` of some brokers. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly ssl?: boolean | undefined;
  /** Certificates (PEM) that sign the brokers' own, in addition to the public ones. Needs `ssl`. */
  readonly sslCa?: string | undefined;
  readonly sasl?: KafkaCredentials | undefined;
  readonly logger?: Logger | undefined;
}

export interface KafkaCredentials {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

const CONNECTION_TIMEOUT_MS = 3_000;

/** Bounded: longer waits happen in our own loops, which can be stopped. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 };

/** @param requestTimeoutMs longest wait for one response of a broker */
export function createKafka(connection: KafkaConnection, requestTimeoutMs: number): Kafka {
  useGzipCodec();
  return new Kafka(kafkaConfig(connection, requestTimeoutMs));
}

export function kafkaConfig(connection: KafkaConnection, requestTimeoutMs: number): KafkaConfig {
  const { brokers, clientId, sasl, logger } = connection;
  const tls = tlsOptions(connection);
  return {
    brokers: [...brokers],
    clientId,
    ...(tls && { ssl: tls }),
    ...(sasl && { sasl: { ...sasl } as SASLOptions }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    // Otherwise a hanging broker would be waited for without end.
    enforceRequestTimeout: true,
    retry: RETRY,
    logLevel: logger ? logLevel.WARN : logLevel.NOTHING,
    logCreator: () => (entry) => logger && writeEntry(logger, entry),
  };
}

function tlsOptions({ ssl, sslCa }: KafkaConnection): true | ConnectionOptions | undefined {
  if (!ssl) return undefined;
  // In Node `ca` replaces the public authorities.
  return sslCa === undefined ? true : { ca: [...rootCertificates, sslCa] };
}

/** kafkajs logs as errors what it retries or also throws, so nothing here is more than a warning. */
function writeEntry(logger: Logger, { namespace, log }: LogEntry): void {
  const { message, timestamp: _timestamp, stack: _stack, ...fields } = log;
  // The warning asks to replace the producer after a failed send, which we always do.
  if (message.startsWith('Limiting retries for the idempotent producer')) return;
  warnLimited(logger, { kafka: { namespace, ...fields } }, `kafkajs: ${message}`);
}

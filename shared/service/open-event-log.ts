import { readFile } from 'node:fs/promises';
import { type Config, ConfigError } from '../config.js';
import type { EventLog } from '../event-log/event-log.js';
import type { KafkaEventLog } from '../event-log/kafka/kafka-event-log.js';
import type { Logger } from '../logging/log.js';
import { checkBrokers } from './check-stores.js';
import type { Service } from './service.js';
import { waitFor } from './wait-for.js';

/** Waits for the brokers in KAFKA_BROKERS; closes the log when the process stops. */
export async function openLog(service: Service<'KAFKA_BROKERS'>): Promise<EventLog> {
  const { config, logger } = service;
  const log = await waitFor('Kafka', () => openCheckedLog(config, logger), service);
  service.onStop(() => log.close());
  return log;
}

/** As {@link openEventLog}. @throws ConfigError also if the brokers would lose data. */
export async function openCheckedLog(config: Config, logger: Logger): Promise<KafkaEventLog> {
  const log = await openEventLog(config, logger);
  try {
    await checkBrokers(log, logger);
  } catch (error) {
    await log.close();
    throw error;
  }
  return log;
}

/**
 * The event log on the configured Kafka.
 * @throws ConfigError if no brokers are configured; LogUnavailableError if they do not answer.
 */
export async function openEventLog(config: Config, logger: Logger): Promise<KafkaEventLog> {
  const { KAFKA_BROKERS: brokers } = config;
  if (brokers === undefined) throw new ConfigError('configuration: KAFKA_BROKERS: names no brokers');
  const sasl = saslOf(config);
  const sslCa = await certificates(config);
  // Loaded on demand: the embedded log does not need it.
  const { openKafkaEventLog } = await import('../event-log/kafka/kafka-event-log.js');
  return openKafkaEventLog({
    brokers: brokers.split(','),
    clientId: 'loglane',
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    partitions: config.EVENT_LOG_PARTITIONS,
    replicationFactor: config.KAFKA_REPLICATION_FACTOR,
    ssl: config.KAFKA_SSL,
    sslCa,
    sasl,
    lingerMs: config.KAFKA_LINGER_MS,
    ackTimeoutMs: config.KAFKA_ACK_TIMEOUT_MS,
    maxPendingBytes: config.KAFKA_MAX_PENDING_BYTES,
    logger,
  });
}

function saslOf(config: Config) {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username } = config;
  const password = config.KAFKA_SASL_PASSWORD;
  if (mechanism === undefined) return undefined;
  if (username === undefined || password === undefined)
    throw new ConfigError(
      'configuration: KAFKA_SASL_MECHANISM: needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
    );
  return { mechanism, username, password };
}

async function certificates({ KAFKA_SSL_CA_FILE: file }: Config): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`configuration: KAFKA_SSL_CA_FILE: ${error.message}`);
  });
}

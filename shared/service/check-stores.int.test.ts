import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import pino from 'pino';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ownOptions } from '../../test/harness/event-log/kafka-options.js';
import { startTestKafka } from '../../test/harness/kafka.js';
import { ConfigError } from '../config.js';
import { openKafkaEventLog } from '../event-log/kafka/kafka-event-log.js';
import type { Logger } from '../logging/log.js';
import type { ClickHouseReader } from '../store/client.js';
import { checkBrokers, checkServer } from './check-stores.js';

const quiet = pino({ level: 'silent' });
const kafka = await startTestKafka();
afterAll(() => kafka?.stop());

const serverOf = (version: string) => ({ read: async () => [{ version }] }) as unknown as ClickHouseReader;

test('a ClickHouse that loses rows is refused in one line; one that may lose rows causes a warning', async () => {
  const warn = vi.fn();
  const logger = { warn } as unknown as Logger;
  const refused = checkServer(serverOf('24.3.18.7'), logger);
  await expect(refused).rejects.toBeInstanceOf(ConfigError);
  await expect(refused).rejects.toThrow(/^ClickHouse is 24\.3\.18\.7: [^\n]+$/);
  expect(warn).not.toHaveBeenCalled();
  await checkServer(serverOf('26.6.1.1'), logger);
  expect(warn).toHaveBeenCalledTimes(1);
  await checkServer(serverOf('25.8.1.1'), logger);
  expect(warn).toHaveBeenCalledTimes(1);
});

describe.skipIf(!kafka)('on Kafka', () => {
  test('topics of this program are accepted; a control log with an expiry is refused', async () => {
    const own = ownOptions(kafka!.brokers);
    const log = await openKafkaEventLog(own);
    const admin = new Kafka({ brokers: kafka!.brokers.split(','), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      const settings = await log.settings();
      expect(settings.isHidden).toBe(false);
      expect(settings.topics.size).toBe(10);
      expect(settings.brokers).toHaveLength(1);
      await checkBrokers(log, quiet);
      await admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: ConfigResourceTypes.TOPIC,
            name: `${own.topicPrefix}control.events`,
            configEntries: [{ name: 'retention.ms', value: '604800000' }],
          },
        ],
      });
      await vi.waitFor(
        () =>
          expect(checkBrokers(log, quiet)).rejects.toThrow(
            /^Kafka would lose data: control\.events has retention\.ms=604800000: [^\n]+$/,
          ),
        { timeout: 20_000, interval: 200 },
      );
    } finally {
      await admin.disconnect();
      await log.close();
    }
  });
});

import { ConfigError } from '../config.js';
import { settingProblems } from '../event-log/kafka/broker-settings.js';
import type { KafkaEventLog } from '../event-log/kafka/kafka-event-log.js';
import type { Logger } from '../logging/log.js';
import type { ClickHouseReader } from '../store/client.js';
import { readServerVersion, versionProblem } from '../store/server-version.js';

/** Checks the stores on start (docs/install.md, "What the stores must keep"). */

/** @throws ConfigError if rows would be lost; StoreUnavailableError */
export async function checkServer(reader: ClickHouseReader, logger: Logger): Promise<void> {
  const problem = versionProblem(await readServerVersion(reader));
  if (problem === null) return;
  if (problem.loses) throw new ConfigError(problem.detail);
  logger.warn(problem.detail);
}

/** @throws ConfigError if records or positions would be lost; LogUnavailableError */
export async function checkBrokers(log: Pick<KafkaEventLog, 'settings'>, logger: Logger): Promise<void> {
  const settings = await log.settings();
  const { loses, mayLose } = settingProblems(settings);
  if (loses.length > 0) throw new ConfigError(`Kafka would lose data: ${loses.join('; ')}`);
  for (const risk of mayLose) logger.warn(`Kafka may lose data: ${risk}`);
  if (settings.isHidden)
    logger.warn(
      'this login cannot read the settings of Kafka, so its retention is not checked (missing right: DescribeConfigs)',
    );
}

import { randomBytes, randomUUID } from 'node:crypto';
import { ConfigError, loadConfig } from '../../shared/config.js';
import { createLogger } from '../../shared/log.js';
import { startStandalone } from './start-standalone.js';

/** `npm start`: all services and both engines in one process (the ClickHouse engine in its child). */

try {
  const config = loadConfig(process.env);
  const logger = createLogger(config.LOG_LEVEL, 'standalone');
  const program = await startStandalone({
    config,
    logger,
    now: Date.now,
    randomBytes,
    newId: randomUUID,
    onCrash(error) {
      // The state is not to be trusted any more; what was answered is in the log.
      logger.fatal({ err: error }, 'stopping after an error that nothing can be done about');
      process.exit(1);
    },
  });
  const stop = (signal: string) => {
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), 2 * config.SHUTDOWN_TIMEOUT_MS).unref();
    program.stop().then(
      () => process.exit(0),
      (error: Error) => {
        logger.error({ err: error }, 'stopped with an error');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  console.log(program.welcome);
} catch (error) {
  console.error(
    error instanceof ConfigError
      ? error.message
      : `loglane: ${error instanceof Error ? error.message : error}`,
  );
  process.exit(1);
}

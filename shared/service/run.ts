import { randomBytes, randomUUID } from 'node:crypto';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { fitConnections, mostOpenFiles } from '../bounded-server/open-files.js';
import { type Config, ConfigError, loadConfig } from '../config.js';
import { lineWriterTo } from '../logging/line-writer.js';
import { createLogger, type Logger } from '../logging/log.js';
import { startHealthServer } from './health-server.js';
import { keptMetrics } from './kept-metrics.js';
import { isSafeRelease, safeReleases } from './node-release.js';
import type { ConfigWith, Service } from './service.js';
import { createShutdownHooks } from './shutdown-hooks.js';

/**
 * Life cycle of a process: configuration, start, signals, exit codes. The same for every service and for all in one.
 */

export interface ServiceDefinition<Needs extends keyof Config> {
  readonly name: string;
  /** Variables that are optional elsewhere, but required here. */
  readonly needs: readonly Needs[];
  /** Resolves when the service is ready. Hooks given to `onStop` stop it, even after an aborted start. */
  start(service: Service<Needs>): Promise<void>;
}

/** Environment of a process. */
export interface Host {
  readonly environment: Record<string, string | undefined>;
  /** Version of Node.js: `20.20.2`. */
  readonly nodeVersion: string;
  onSignal(handle: (signal: string) => void): void;
  /** Prints one line on standard error. */
  printError(line: string): void;
  exit(code: number): void;
}

// Created at load time, so that Node's own output for uncaught errors does not block on a reader either.
const standardError = lineWriterTo(process.stderr, (lines) => `${lines} lines dropped\n`);

const thisProcess: Host = {
  environment: process.env,
  nodeVersion: process.versions.node,
  onSignal(handle) {
    process.on('SIGTERM', handle);
    process.on('SIGINT', handle);
  },
  printError: (line) => standardError.write(`${line}\n`),
  exit: (code) => process.exit(code),
};

/**
 * Runs the service until a signal ends it. Exit code 0: it drained. Exit code 1: it did not drain within
 * SHUTDOWN_TIMEOUT_MS, the start failed, or it crashed, even while draining.
 */
export async function runService<Needs extends keyof Config>(
  definition: ServiceDefinition<Needs>,
  host: Host = thisProcess,
): Promise<void> {
  let asked: ConfigWith<Needs>;
  try {
    asked = requireConfig(loadConfig(host.environment), definition);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    host.printError(error.message);
    return host.exit(1);
  }
  const config = fitConnections(asked, mostOpenFiles());
  const logger = createLogger(config.LOG_LEVEL, definition.name);
  if (config !== asked)
    logger.warn(
      { api: config.API_MAX_CONNECTIONS, ingest: config.INGEST_MAX_CONNECTIONS },
      'fewer connections than configured: the limit on open files is too low (ulimit -n)',
    );
  if (!isSafeRelease(host.nodeVersion))
    logger.warn(
      { node: host.nodeVersion, safe: safeReleases },
      'in this release of Node.js crafted uploads can slow down the whole service (CVE-2026-21717): install a newer one',
    );
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const hooks = createShutdownHooks();
  const stopping = new AbortController();

  const start = async (service: Service<Needs>) => {
    await serveMetrics(service);
    await definition.start(service);
  };
  const started = start({
    config,
    logger,
    registry,
    stopping: stopping.signal,
    onStop: hooks.add,
    onCrash(error) {
      // The other parts still drain; the successor takes over this part's work.
      if (stopping.signal.aborted) return hooks.fail(error);
      logger.fatal({ err: error }, 'stopping after an unrecoverable error');
      host.exit(1);
    },
    now: Date.now,
    randomBytes,
    newId: randomUUID,
  });
  host.onSignal((signal) => {
    // A second signal does not speed it up; SIGKILL does.
    if (stopping.signal.aborted) return;
    logger.info({ signal }, 'stopping');
    stopping.abort();
    setTimeout(() => {
      logger.error({ after_ms: config.SHUTDOWN_TIMEOUT_MS }, 'not stopped within SHUTDOWN_TIMEOUT_MS');
      host.exit(1);
    }, config.SHUTDOWN_TIMEOUT_MS).unref();
    void stop(started, hooks.run, { logger, host });
  });
  await started.catch(async (error: unknown) => {
    // The signal handler ends a start that a signal aborted.
    if (stopping.signal.aborted) return;
    host.printError(`loglane: ${error instanceof Error ? error.message : String(error)}`);
    await hooks.run().catch(() => {});
    host.exit(1);
  });
}

/** A separate port, since clients of the public ports must not see metrics. */
async function serveMetrics({ config, registry, logger, now, onStop, stopping }: Service): Promise<void> {
  const server = await startHealthServer({
    host: config.HOST,
    port: config.METRICS_PORT,
    metrics: keptMetrics(registry, now),
    logger,
  });
  onStop(() => server.close());
  stopping.throwIfAborted();
}

async function stop(
  started: Promise<void>,
  hooks: () => Promise<void>,
  { logger, host }: { logger: Logger; host: Host },
): Promise<void> {
  // Resources that the start still opens are released with the rest.
  await started.catch(() => {});
  try {
    await hooks();
    logger.info('stopped');
    host.exit(0);
  } catch (error) {
    logger.error({ err: error }, 'stopped with an error');
    host.exit(1);
  }
}

/** @throws ConfigError with all missing variables in one line. */
function requireConfig<Needs extends keyof Config>(
  config: Config,
  { name, needs }: Pick<ServiceDefinition<Needs>, 'name' | 'needs'>,
): ConfigWith<Needs> {
  const missing = needs.filter((variable) => config[variable] === undefined);
  if (missing.length > 0) {
    throw new ConfigError(
      `configuration: ${missing.map((variable) => `${variable}: is needed by ${name}`).join('; ')}`,
    );
  }
  return config as ConfigWith<Needs>;
}

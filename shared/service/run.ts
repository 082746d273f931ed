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

/** The life of a process: configuration, start, signals, exit codes. The same for every service and for all in one. */

export interface ServiceDefinition<Needs extends keyof Config> {
  readonly name: string;
  /** Variables that may be absent elsewhere, but not here. */
  readonly needs: readonly Needs[];
  /** Resolves when the service is ready. It stops by what it gave to `onStop`, also after a start that was cut short. */
  start(service: Service<Needs>): Promise<void>;
}

/** What a process is asked for and told. */
export interface Host {
  readonly environment: Record<string, string | undefined>;
  /** Of Node.js: `20.20.2`. */
  readonly nodeVersion: string;
  onSignal(handle: (signal: string) => void): void;
  /** One line on standard error. */
  printError(line: string): void;
  exit(code: number): void;
}

// From the start: what Node itself writes there when an error is caught by nobody must not wait for a reader either.
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
 * Runs the service until a signal ends it: 0 where it drained; 1 where it did not within SHUTDOWN_TIMEOUT_MS, where
 * the start failed, or where it crashed, be it while draining.
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
      'with this release of Node.js uploads of chosen texts can slow the whole service down (CVE-2026-21717): take a newer one',
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
      // The other parts still drain; whoever comes next takes up what this one left.
      if (stopping.signal.aborted) return hooks.fail(error);
      logger.fatal({ err: error }, 'stopping after an error that nothing can be done about');
      host.exit(1);
    },
    now: Date.now,
    randomBytes,
    newId: randomUUID,
  });
  host.onSignal((signal) => {
    // Whoever is impatient sends SIGKILL.
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
    // A start that a signal cut short is ended by the signal's handler.
    if (stopping.signal.aborted) return;
    host.printError(`loglane: ${error instanceof Error ? error.message : String(error)}`);
    await hooks.run().catch(() => {});
    host.exit(1);
  });
}

/** The port is METRICS_PORT, since clients of the public ports must not see the figures. */
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
  // What the start still opens is undone with the rest.
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

/** @throws ConfigError naming everything that is missing in one line. */
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

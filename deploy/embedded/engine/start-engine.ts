import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../../shared/logging/log.js';
import { findFolderDamage } from './check-folder.js';
import type { EngineMessage, EngineStart } from './engine-messages.js';

/** ClickHouse in a child process that ends with this process. */
export interface EmbeddedClickHouse {
  /** For connectClickHouse; stays the same after a restart of the child. */
  readonly url: string;
  /** Process id of the running child; undefined during a restart. */
  pid(): number | undefined;
  /** Waits for running statements, then ends the child. */
  stop(): Promise<void>;
}

export interface EmbeddedClickHouseOptions {
  /** Created if missing. Only one engine can open it at a time. */
  readonly directory: string;
  readonly logger: Logger;
  /** Memory limit of the engine; a statement gets at most four fifths of it. */
  readonly maxMemoryBytes?: number;
  /** Longest delay before a restart, for a child that crashes repeatedly. */
  readonly maxRestartDelayMs?: number;
  /** Milliseconds that a read may exceed its limit before the child is ended. */
  readonly readGraceMs?: number;
}

/** The engine can't open its directory, or its package is not installed. The message has one line. */
export class EngineStartError extends Error {}

/** Instructions for a damaged folder. */
export const RESTORE =
  'Restore an intact copy of this directory and of the log. Without a copy, move the directory away and run npm run admin -- log resume-from-store: websites and keys stay, requests in the log are stored again, and older requests are lost (docs/troubleshooting.md, "Damaged files")';

const USER = 'loglane';
const DEFAULT_MAX_MEMORY_BYTES = 900 * 1024 ** 2;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const FIRST_RESTART_DELAY_MS = 100;
const DEFAULT_MAX_RESTART_DELAY_MS = 10_000;
/** After this uptime a child counts as recovered, and the restart delay is reset. */
const STABLE_AFTER_MS = 30_000;
/**
 * Every running statement and every compression occupies a thread of libuv's pool. With the default of four threads, four
 * long queries would block the whole process.
 */
const LIBUV_THREADS = '16';
/** The engine's allocator returns freed pages after two seconds instead of ten. */
const ALLOCATOR = 'dirty_decay_ms:2000,muzzy_decay_ms:0';
/**
 * The engine uses every core. This process needs less CPU, and senders, callers and the engine's next insert wait for it. So this process has
 * the higher priority.
 */
const MORE_NICENESS = 5;
const MOST_NICENESS = 19;

/**
 * Starts the engine and waits until it listens. After a crash it is restarted on the same port with the same password, so
 * clients only have to reconnect. @throws EngineStartError if the first start fails.
 */
export async function startEmbeddedClickHouse(
  options: EmbeddedClickHouseOptions,
): Promise<EmbeddedClickHouse> {
  const { logger } = options;
  const start: EngineStart = {
    directory: resolve(options.directory),
    port: 0,
    credentials: { user: USER, password: randomBytes(24).toString('base64url') },
    maxMemoryBytes: options.maxMemoryBytes ?? DEFAULT_MAX_MEMORY_BYTES,
    ...(options.readGraceMs === undefined ? {} : { readGraceMs: options.readGraceMs }),
  };
  const damage = findFolderDamage(start.directory);
  if (damage !== null)
    throw new EngineStartError(
      `the ClickHouse directory ${start.directory} is damaged: ${damage}. ${RESTORE}`,
    );
  let current: StartedChild | undefined = await startChild(start, logger);
  const port = current.port;
  const stopping = new AbortController();

  const supervise = async () => {
    let delay = FIRST_RESTART_DELAY_MS;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const child = current as StartedChild;
      const ending = await child.exited;
      current = undefined;
      if (stopping.signal.aborted) return;
      logger.error(
        { ending, pid: child.process.pid },
        'the ClickHouse engine ended unexpectedly, starting it again',
      );
      if (performance.now() - startedAt > STABLE_AFTER_MS) delay = FIRST_RESTART_DELAY_MS;
      while (current === undefined && !stopping.signal.aborted) {
        await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {});
        delay = Math.min(delay * 2, options.maxRestartDelayMs ?? DEFAULT_MAX_RESTART_DELAY_MS);
        if (stopping.signal.aborted) return;
        current = await startChild({ ...start, port }, logger).catch((error: Error) => {
          logger.error({ err: error }, 'the ClickHouse engine could not be started again');
          return undefined;
        });
      }
    }
  };
  const supervised = supervise();

  return {
    url: `http://${USER}:${start.credentials.password}@127.0.0.1:${port}`,
    pid: () => current?.process.pid,
    async stop() {
      stopping.abort();
      if (current !== undefined) await stopChild(current);
      await supervised;
      // `stop` was called during this start.
      if (current !== undefined) await stopChild(current);
    },
  };
}

interface StartedChild {
  readonly process: ChildProcess;
  readonly port: number;
  /** Resolves with the reason: `exit 1`, `SIGKILL`. */
  readonly exited: Promise<string>;
}

/** A child that repairs its logs ends, and the second child finds nothing to repair. The third start allows for faults in between. */
const MOST_STARTS = 3;

async function startChild(start: EngineStart, logger: Logger): Promise<StartedChild> {
  for (let starts = 1; starts <= MOST_STARTS; starts += 1) {
    const started = await startOnce(start, logger);
    if (started !== 'mended') return started;
  }
  throw new EngineStartError(explain(start.directory, 'its deduplication logs can not be repaired'));
}

async function startOnce(start: EngineStart, logger: Logger): Promise<StartedChild | 'mended'> {
  const child = forkEngine(logger);
  const lastWords = forwardErrors(child, logger);
  const exited = new Promise<string>((ended) => {
    child.once('exit', (code, signal) => ended(signal ?? `exit ${code}`));
    child.once('error', (error) => ended(error.message));
  });
  const timeout = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const answer = new Promise<EngineMessage>((answered) => child.once('message', answered));
  child.send(start, () => {});
  const message = await Promise.race([answer, exited]);
  clearTimeout(timeout);
  if (typeof message !== 'string' && message.kind === 'listening') {
    return { process: child, port: message.port, exited };
  }
  await exited;
  if (typeof message !== 'string' && message.kind === 'mended') {
    logger.warn(
      { pid: child.pid, parts: message.orphans },
      'the ClickHouse engine had crashed between the token of an insert and its rows: the token was removed',
    );
    return 'mended';
  }
  const reason = typeof message === 'string' ? message : message.reason;
  throw new EngineStartError(explain(start.directory, `${lastWords()} ${reason}`));
}

function explain(directory: string, reason: string): string {
  if (/Another server instance|Cannot lock file/.test(reason)) {
    return `the ClickHouse directory ${directory} is in use by another process`;
  }
  return `the ClickHouse engine could not be started in ${directory}: ${reason.replace(/\s+/g, ' ').trim().slice(0, 500)}. If files are damaged: ${RESTORE}`;
}

function forkEngine(logger: Logger): ChildProcess {
  const here = fileURLToPath(import.meta.url);
  const fromSource = here.endsWith('.ts');
  const entry = fileURLToPath(new URL(`./engine-main.${fromSource ? 'ts' : 'js'}`, import.meta.url));
  const child = fork(entry, [], {
    execArgv: fromSource ? ['--import', 'tsx'] : [],
    env: { ...inherited(), UV_THREADPOOL_SIZE: LIBUV_THREADS, JE_MALLOC_CONF: ALLOCATOR },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.pid !== undefined) giveWay(child.pid, logger);
  return child;
}

/** Call it right after the start: the child has one thread then, and all later threads inherit its niceness. */
function giveWay(pid: number, logger: Logger): void {
  try {
    setPriority(pid, Math.min(getPriority() + MORE_NICENESS, MOST_NICENESS));
  } catch (error) {
    // Some sandboxes forbid it. The engine also works with the default niceness, but this process is a little slower.
    logger.warn({ err: error, pid }, 'could not set the niceness of the ClickHouse engine');
  }
}

/** Environment variables that the process needs, without keys and tokens of the service. */
function inherited(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Logs the child's standard error. @returns a function that returns its latest lines. */
function forwardErrors(child: ChildProcess, logger: Logger): () => string {
  let latest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    latest = (latest + text).slice(-2_000);
    logger.warn({ pid: child.pid, text: text.trim().slice(0, 2_000) }, 'output of the ClickHouse engine');
  });
  return () => latest;
}

async function stopChild({ process: child, exited }: StartedChild): Promise<void> {
  child.send('stop', () => {});
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timeout);
}

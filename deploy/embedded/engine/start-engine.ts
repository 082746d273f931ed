import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../../shared/logging/log.js';
import { findFolderDamage } from './check-folder.js';
import type { EngineMessage, EngineStart } from './engine-messages.js';

/** ClickHouse on this machine: a child process that lives as long as this one. */
export interface EmbeddedClickHouse {
  /** For connectClickHouse; stays the same when the child is started anew. */
  readonly url: string;
  /** The running child; undefined while it is being started anew. */
  pid(): number | undefined;
  /** Lets running statements finish, then ends the child. */
  stop(): Promise<void>;
}

export interface EmbeddedClickHouseOptions {
  /** Made when missing. One engine at a time may have it open. */
  readonly directory: string;
  readonly logger: Logger;
  /** Most that the engine may hold; a statement gets four fifths of it at most. */
  readonly maxMemoryBytes?: number;
  /** Longest wait before a child that keeps dying is started again. */
  readonly maxRestartDelayMs?: number;
  /** How long past its limit a read may run before the child is ended. */
  readonly readGraceMs?: number;
}

/** The engine can't open its directory, or its package is not installed; the message is one line. */
export class EngineStartError extends Error {}

/** Of a folder with damage. */
export const RESTORE =
  'Put back an intact copy of this directory and of the log. Without one, move it away and run npm run admin -- log resume-from-store: websites and keys stay, requests that the log still has are stored again, and older ones are lost (docs/troubleshooting.md, "Damaged files")';

const USER = 'loglane';
const DEFAULT_MAX_MEMORY_BYTES = 900 * 1024 ** 2;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const FIRST_RESTART_DELAY_MS = 100;
const DEFAULT_MAX_RESTART_DELAY_MS = 10_000;
/** A child that lived this long has recovered: the next delay is the first one again. */
const STABLE_AFTER_MS = 30_000;
/**
 * Every running statement holds a thread of libuv's pool, and so does every compression: four threads, the
 * default, let four long queries stop the whole process (measured: a file read waited 3.6 s).
 */
const LIBUV_THREADS = '16';
/** The engine's allocator gives freed pages back after two seconds instead of ten. */
const ALLOCATOR = 'dirty_decay_ms:2000,muzzy_decay_ms:0';
/**
 * The engine has work for every core. This process needs less, and senders and callers wait for it, as the engine's next insert does: so it goes
 * first.
 */
const MORE_NICENESS = 5;
const MOST_NICENESS = 19;

/**
 * Starts the engine and waits until it listens. If it dies later, it is started again on the same port with the
 * same password, so clients only have to connect anew.
 * @throws EngineStartError when the first start fails.
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
      logger.error({ ending, pid: child.process.pid }, 'the ClickHouse engine died, starting it again');
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
      // A start that was under way when stop was called.
      if (current !== undefined) await stopChild(current);
    },
  };
}

interface StartedChild {
  readonly process: ChildProcess;
  readonly port: number;
  /** Resolves with how it ended: `exit 1`, `SIGKILL`. */
  readonly exited: Promise<string>;
}

/** A child that mends its logs ends, and the second finds nothing to mend; one more start is for what happens in between. */
const MOST_STARTS = 3;

async function startChild(start: EngineStart, logger: Logger): Promise<StartedChild> {
  for (let starts = 1; starts <= MOST_STARTS; starts += 1) {
    const started = await startOnce(start, logger);
    if (started !== 'mended') return started;
  }
  throw new EngineStartError(explain(start.directory, 'its deduplication logs can not be mended'));
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
      'the ClickHouse engine had died between the token of an insert and its rows: the token was taken out',
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

/** To be called at once: the child's first thread is its only one yet, and all later ones take their niceness from it. */
function giveWay(pid: number, logger: Logger): void {
  try {
    setPriority(pid, Math.min(getPriority() + MORE_NICENESS, MOST_NICENESS));
  } catch (error) {
    // Some sandboxes forbid it. The engine does as well without, if a little slower.
    logger.warn({ err: error, pid }, "the niceness of the ClickHouse engine's process could not be set");
  }
}

/** What a process needs of its surroundings; keys and tokens of the service stay with the service. */
function inherited(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Logs what the child writes to standard error; returns a look at its latest lines. */
function forwardErrors(child: ChildProcess, logger: Logger): () => string {
  let latest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    latest = (latest + text).slice(-2_000);
    logger.warn({ pid: child.pid, text: text.trim().slice(0, 2_000) }, 'the ClickHouse engine wrote');
  });
  return () => latest;
}

async function stopChild({ process: child, exited }: StartedChild): Promise<void> {
  child.send('stop', () => {});
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timeout);
}

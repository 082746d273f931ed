import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBuilt } from '../../deploy/build/build.mjs';
import { endWithThisProcess } from './end-with-this-process.js';
import { freePort } from './free-port.js';

/** A program of this repository in a separate process, which tests may kill. */
export interface Program {
  readonly pid: number;
  /** Resolves with the exit code after any end of the process; null if a signal ended it. */
  readonly gone: Promise<number | null>;
  /** SIGKILL: it cannot finish anything. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** The URL of `/metrics`. */
  readonly metricsUrl: string;
  /** Its output so far on both streams; at most the last megabyte. */
  output(): string;
}

export interface ProgramOptions {
  /** Without extension, e.g. services/api/main. */
  readonly main: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Runs dist/ even if it is outdated, for benchmarks. */
  readonly built?: boolean | undefined;
  /** The URL that reports readiness. */
  readonly readyUrl: string;
  /** A command prefix that runs the program by `exec`; default: none. */
  readonly within?: readonly string[] | undefined;
  /** Kills it during the wait. */
  readonly signal?: AbortSignal | undefined;
}

let treeBuilt: boolean | undefined;
/**
 * Whether dist/ has the current sources: a compiled program starts in half the time. `npm test` builds it
 * first.
 */
function isTreeBuilt(): boolean {
  treeBuilt ??= isBuilt(process.cwd());
  return treeBuilt;
}

const START_TIMEOUT_MS = 180_000;
const KEPT_CHARACTERS = 1024 ** 2;

/**
 * Starts the program and waits until it is ready.
 * @throws Error with its output if it ends before, or is not ready in time; the process has then ended
 */
export async function startProgram({
  main,
  environment,
  built = false,
  readyUrl,
  within = [],
  signal,
}: ProgramOptions): Promise<Program> {
  const compiled = built || (isTreeBuilt() && existsSync(`dist/${main}.js`));
  const script = compiled ? [`dist/${main}.js`] : ['--import', 'tsx', `${main}.ts`];
  const [command, ...words] = [...within, process.execPath, ...script] as [string, ...string[]];
  const metricsPort = environment.METRICS_PORT ?? String(await freePort());
  const child = spawn(command, words, {
    // The demo's website is a real one on the internet.
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      FETCH_WEBSITES: 'false',
      METRICS_PORT: metricsPort,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_CHARACTERS);
    });
  }
  let ended = false;
  const gone = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      ended = true;
      resolve(code);
    }),
  );
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  try {
    await waitUntilReady(readyUrl, () => ended);
  } catch (error) {
    await kill();
    throw new Error(`${main}: ${(error as Error).message}\n${output}`);
  }
  return {
    pid: child.pid as number,
    gone,
    kill,
    async stop() {
      child.kill('SIGTERM');
      return gone;
    },
    metricsUrl: `http://${environment.HOST ?? '127.0.0.1'}:${metricsPort}`,
    output: () => output,
  };
}

async function waitUntilReady(url: string, ended: () => boolean): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (ended()) throw new Error('the process ended before it was ready');
    const ready = await fetch(url).then(
      (response) => response.status === 200,
      () => false,
    );
    if (ready) return;
    if (Date.now() > deadline) throw new Error(`not ready after ${START_TIMEOUT_MS} ms`);
    await sleep(50);
  }
}

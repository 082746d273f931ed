import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './standalone.js';

/** One service as its own process, the way a cluster runs it; a test may kill it. */

export type ServiceName = 'ingest' | 'enricher' | 'api';

export interface RunningService {
  readonly pid: number;
  /** Where it answers: its own routes, and /healthz, /readyz, /metrics. */
  readonly url: string;
  /** Resolves with the exit code when the process is gone, however it went; null where a signal ended it. */
  readonly gone: Promise<number | null>;
  /** SIGKILL: no chance to finish anything. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Everything it has written so far, to both streams; the last megabyte of it. */
  output(): string;
}

export interface StartOptions {
  /** Runs the built program instead of the sources. */
  readonly built?: boolean;
}

const portVariable = { ingest: 'INGEST_PORT', enricher: 'HEALTH_PORT', api: 'API_PORT' } as const;

const START_TIMEOUT_MS = 90_000;
const KEPT_CHARACTERS = 1024 ** 2;

/**
 * Starts the service and waits until it is ready. Without its port in `environment` it gets a free one.
 * @throws Error with its output where it ends before, or is not ready in time; the process is gone then.
 */
export async function startService(
  name: ServiceName,
  environment: Readonly<Record<string, string>>,
  { built = false }: StartOptions = {},
): Promise<RunningService> {
  const port = environment[portVariable[name]] ?? String(await freePort());
  const command = built ? [`dist/services/${name}/main.js`] : ['--import', 'tsx', `services/${name}/main.ts`];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...environment, [portVariable[name]]: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
  const url = `http://${environment.HOST ?? '127.0.0.1'}:${port}`;
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  try {
    await waitUntilReady(`${url}/readyz`, () => ended);
  } catch (error) {
    await kill();
    throw new Error(`${name}: ${(error as Error).message}\n${output}`);
  }
  return {
    pid: child.pid as number,
    url,
    gone,
    kill,
    async stop() {
      child.kill('SIGTERM');
      return gone;
    },
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

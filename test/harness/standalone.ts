import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The whole program as its user starts it, in a process of its own that a test may kill. */

export interface Credentials {
  readonly base_url: string;
  readonly ingest_url: string;
  readonly website_id: string;
  readonly ingest_key: string;
  readonly api_key: string;
}

export interface Standalone {
  readonly credentials: Credentials;
  readonly pid: number;
  /** Resolves with the exit code when the process is gone, however it went; null where a signal ended it. */
  readonly gone: Promise<number | null>;
  /** SIGKILL: no chance to finish anything. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** GET below /public/v1/websites/{website_id}, parsed. */
  get(path: string): Promise<Record<string, never>>;
}

export interface StandaloneOptions {
  readonly dataDir: string;
  readonly apiPort: number;
  readonly ingestPort: number;
  readonly environment?: Record<string, string>;
  /** Runs the built program instead of the sources: what a bench wants. */
  readonly built?: boolean;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const START_TIMEOUT_MS = 60_000;

/** Starts the program and waits until it is ready. @throws Error with its output where it ends before. */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const command = options.built
    ? ['dist/deploy/standalone/main.js']
    : ['--import', 'tsx', 'deploy/standalone/main.ts'];
  const child = spawn(process.execPath, command, {
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      DATA_DIR: options.dataDir,
      API_PORT: String(options.apiPort),
      INGEST_PORT: String(options.ingestPort),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await waitUntilReady(child, `http://127.0.0.1:${options.apiPort}/readyz`, () => output);
  const credentials = JSON.parse(
    await readFile(join(options.dataDir, 'credentials.json'), 'utf8'),
  ) as Credentials;
  return {
    credentials,
    pid: child.pid as number,
    gone: exited,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async get(path) {
      const response = await fetch(
        `${credentials.base_url}/public/v1/websites/${credentials.website_id}${path}`,
        {
          headers: { authorization: `Bearer ${credentials.api_key}` },
        },
      );
      const body = await response.json();
      if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${JSON.stringify(body)}`);
      return body as Record<string, never>;
    },
  };
}

async function waitUntilReady(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}:\n${output()}`);
    const ready = await fetch(url).then(
      (response) => response.status === 200,
      () => false,
    );
    if (ready) return;
    if (Date.now() > deadline) throw new Error(`not ready after ${START_TIMEOUT_MS} ms:\n${output()}`);
    await sleep(50);
  }
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Program, startProgram } from './program.js';

/** The whole program as a user starts it, in a separate process that tests may kill. */

export interface Credentials {
  readonly base_url: string;
  readonly ingest_url: string;
  readonly website_id: string;
  readonly ingest_key: string;
  readonly api_key: string;
}

export interface Standalone extends Program {
  readonly credentials: Credentials;
  /** GET below /public/v1/websites/{website_id}, parsed. */
  get(path: string): Promise<Record<string, never>>;
}

export interface StandaloneOptions {
  readonly dataDir: string;
  readonly apiPort: number;
  readonly ingestPort: number;
  readonly environment?: Record<string, string>;
  /** Runs dist/ even if it is outdated, for benchmarks. */
  readonly built?: boolean;
  /** A command prefix that runs the program by `exec`. */
  readonly within?: readonly string[];
  /** Kills the program during the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the program and waits until it is ready.
 * @throws Error with its output if it ends before
 */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const program = await startProgram({
    main: 'deploy/standalone/main',
    environment: {
      DATA_DIR: options.dataDir,
      API_PORT: String(options.apiPort),
      INGEST_PORT: String(options.ingestPort),
      ...options.environment,
    },
    built: options.built,
    within: options.within,
    signal: options.signal,
    readyUrl: `http://127.0.0.1:${options.apiPort}/readyz`,
  });
  const credentials = JSON.parse(
    await readFile(join(options.dataDir, 'credentials.json'), 'utf8'),
  ) as Credentials;
  return {
    ...program,
    credentials,
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

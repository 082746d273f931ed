import { freePort } from './free-port.js';
import { type Program, startProgram } from './program.js';

/** One service in a separate process, as in a cluster; tests may kill it. */

export type ServiceName = 'ingest' | 'enricher' | 'detector' | 'jobs' | 'api';

export interface RunningService extends Program {
  /** Its base URL: its own routes, /healthz and /readyz. */
  readonly url: string;
}

export interface StartOptions {
  /** Runs dist/ even if it is outdated, for benchmarks. */
  readonly built?: boolean;
  /** Another main program for the service. Without extension. */
  readonly main?: string | undefined;
}

/** The variable with each service's port. */
export const portVariable: Readonly<Record<ServiceName, string>> = {
  ingest: 'INGEST_PORT',
  enricher: 'HEALTH_PORT',
  detector: 'HEALTH_PORT',
  jobs: 'HEALTH_PORT',
  api: 'API_PORT',
};

/**
 * Starts the service and waits until it is ready. Without its port in `environment` it gets a free one.
 * @throws Error with its output if it ends before, or is not ready in time; the process has then ended
 */
export async function startService(
  name: ServiceName,
  environment: Readonly<Record<string, string>>,
  { built, main = `services/${name}/main` }: StartOptions = {},
): Promise<RunningService> {
  const host = environment.HOST ?? '127.0.0.1';
  const port = environment[portVariable[name]] ?? String(await freePort());
  const url = `http://${host}:${port}`;
  const program = await startProgram({
    main,
    environment: { HOST: host, ...environment, [portVariable[name]]: port },
    built,
    readyUrl: `${url}/readyz`,
  });
  return { ...program, url };
}

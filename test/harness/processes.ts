import { freePort } from './free-port.js';
import { type Program, startProgram } from './program.js';

/** One service as its own process, the way a cluster runs it; a test may kill it. */

export type ServiceName = 'ingest' | 'enricher' | 'detector' | 'jobs' | 'api';

export interface RunningService extends Program {
  /** Where it answers: its own routes, /healthz and /readyz. */
  readonly url: string;
}

export interface StartOptions {
  /** Runs dist/ whether it is current or not: what a bench wants. */
  readonly built?: boolean;
  /** Another program that is the service, as a test wants it. Without extension. */
  readonly main?: string | undefined;
}

/** What says on which port a service answers. */
export const portVariable: Readonly<Record<ServiceName, string>> = {
  ingest: 'INGEST_PORT',
  enricher: 'HEALTH_PORT',
  detector: 'HEALTH_PORT',
  jobs: 'HEALTH_PORT',
  api: 'API_PORT',
};

/**
 * Starts the service and waits until it is ready. Without its port in `environment` it gets a free one.
 * @throws Error with its output where it ends before, or is not ready in time; the process is gone then.
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

import { join } from 'node:path';
import { freePort } from '../../harness/free-port.js';
import { type Standalone, startStandalone } from '../../harness/standalone.js';
import { enginePid } from '../process-memory.js';
import { type Probe, startProbe } from './freshness.js';
import type { Pipeline } from './measure-rate.js';
import { type ThreadLosses, takeLosses, watchedEnvironment } from './watch-thread.js';
import { createWebsites } from './websites.js';

/** The whole program in its single process, from dist/, with its engine's child. */
export interface BenchProgram extends Standalone {
  readonly dataDir: string;
  /** Uploads go to the given websites, or to a new one. */
  pipeline(ingestKeys?: readonly string[]): Promise<Pipeline>;
  startProbe(): Probe;
  /** The main thread's lost time since the last call. */
  takeLosses(): Promise<ThreadLosses>;
}

/** @param folder for this program only; its data are in `data` */
export async function startProgram(folder: string): Promise<BenchProgram> {
  const dataDir = join(folder, 'data');
  const losses = join(folder, 'losses.json');
  const program = await startStandalone({
    dataDir,
    apiPort: await freePort(),
    ingestPort: await freePort(),
    environment: watchedEnvironment(losses),
    built: true,
  });
  const { base_url: baseUrl, ingest_url: ingestUrl } = program.credentials;
  const makeWebsite = async () => (await createWebsites(dataDir, 1))[0]!;
  return {
    ...program,
    dataDir,
    async pipeline(ingestKeys) {
      return {
        ingestUrl,
        ingestKeys: ingestKeys ?? [(await makeWebsite()).ingestKey],
        enricherUrls: [program.metricsUrl],
        processes: { program: program.pid, engine: enginePid(program.pid) },
      };
    },
    startProbe: () => startProbe({ baseUrl, ingestUrl, nextWebsite: makeWebsite }),
    takeLosses: () => takeLosses(program.pid, losses),
  };
}

import type { Pipeline } from '../pipeline/measure-rate.js';
import { startProgram } from '../pipeline/program.js';
import { type BenchWebsite, createWebsites } from '../pipeline/websites.js';
import { enginePid } from '../process-memory.js';
import type { ReadTarget } from './costs.js';

/** The processes that answer reads and take logs in. */
export interface ReadSystem {
  readonly target: ReadTarget;
  /** Uploads go to all websites. */
  readonly pipeline: Pipeline;
  /** Longest pause of an API's event loop since the last call, milliseconds. */
  takeLongestPause(): Promise<number>;
  stop(): Promise<void>;
}

/** The whole program in one process, with its engine. @param others websites to create, which only get uploads */
export async function startSingle(
  folder: string,
  websites: readonly BenchWebsite[],
  others: number,
): Promise<ReadSystem> {
  const program = await startProgram(folder);
  const streaming = [...websites, ...(await createWebsites(program.dataDir, others))];
  const { credentials, metricsUrl, pid } = program;
  return {
    target: {
      apis: [{ url: credentials.base_url, metricsUrl, pid }],
      enginePid: enginePid(pid),
      enricherUrls: [metricsUrl],
    },
    pipeline: await program.pipeline(streaming.map(({ ingestKey }) => ingestKey)),
    takeLongestPause: async () => (await program.takeLosses()).pauses.max,
    stop: async () => void (await program.stop()),
  };
}

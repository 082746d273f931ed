import { startProgram } from '../pipeline/program.js';
import type { UploadSupply } from '../stream/upload-supply.js';
import { type LoadResult, measureLoad, sendersFor, warmUp } from './measure-load.js';

/** Full ingest at the program's maximum rate, then at half of it. */
export interface FullResult {
  readonly full: LoadResult;
  readonly half: LoadResult;
}

export interface FullOptions {
  readonly seconds: number;
  readonly source: string;
  readonly linesPerUpload: number;
  readonly progress: (text: string) => void;
}

const LONGEST_HALF_SECONDS = 120;

/** @param folder empty, for this measurement only */
export async function measureFull(
  folder: string,
  supply: UploadSupply,
  { seconds, source, linesPerUpload, progress }: FullOptions,
): Promise<FullResult> {
  const program = await startProgram(folder);
  try {
    const pipeline = await program.pipeline();
    const how = { source, senders: sendersFor(linesPerUpload) };
    progress('warming up');
    const uploads = await warmUp(pipeline, supply, { ...how, seconds });
    progress(`full ingest for ${seconds} s`);
    const full = await measureLoad(program, pipeline, uploads, { ...how, seconds });
    const linesPerSecond = full.rate.linesPerSecond / 2;
    const halfSeconds = Math.min(LONGEST_HALF_SECONDS, Math.ceil(seconds / 2));
    const fewer = await supply(halfSeconds, linesPerSecond);
    progress(`half of it for ${halfSeconds} s`);
    const half = await measureLoad(program, pipeline, fewer, {
      ...how,
      seconds: halfSeconds,
      linesPerSecond,
    });
    return { full, half };
  } finally {
    await program.stop();
  }
}

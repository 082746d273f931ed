import { startProgram } from '../pipeline/program.js';
import type { UploadSupply } from '../stream/upload-supply.js';
import { type LoadResult, measureLoad, sendersFor, warmUp } from './measure-load.js';

/** The whole program under uploads of one size and source. */
export interface UploadSizeResult extends LoadResult {
  readonly source: string;
  readonly linesPerUpload: number;
}

export interface UploadSizeOptions {
  readonly seconds: number;
  readonly source: string;
  readonly linesPerUpload: number;
}

/**
 * @param folder empty, for this measurement only
 * @param supply of lines of the source
 */
export async function measureUploadSize(
  folder: string,
  supply: UploadSupply,
  { seconds, source, linesPerUpload }: UploadSizeOptions,
): Promise<UploadSizeResult> {
  const program = await startProgram(folder);
  try {
    const pipeline = await program.pipeline();
    const how = { seconds, source, senders: sendersFor(linesPerUpload) };
    const uploads = await warmUp(pipeline, supply, how);
    return { source, linesPerUpload, ...(await measureLoad(program, pipeline, uploads, how)) };
  } finally {
    await program.stop();
  }
}

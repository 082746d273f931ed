import { startProgram } from '../pipeline/program.js';
import { packFile } from '../uploads.js';
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
 * @param folder empty, of this measurement alone
 * @param file log file with lines of the source
 */
export async function measureUploadSize(
  folder: string,
  file: string,
  { seconds, source, linesPerUpload }: UploadSizeOptions,
): Promise<UploadSizeResult> {
  const uploads = await packFile(file, linesPerUpload);
  const program = await startProgram(folder);
  try {
    const pipeline = await program.pipeline();
    const how = { seconds, source, senders: sendersFor(linesPerUpload) };
    await warmUp(pipeline, uploads, how);
    return { source, linesPerUpload, ...(await measureLoad(program, pipeline, uploads, how)) };
  } finally {
    await program.stop();
  }
}

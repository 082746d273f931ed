import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';

export interface Upload {
  readonly lines: number;
  /** gzip'ed body. */
  readonly body: Buffer;
}

/** Lines as gzip'ed uploads of this many lines each. */
export async function packLines(
  lines: Iterable<string> | AsyncIterable<string>,
  linesPerUpload: number,
): Promise<Upload[]> {
  const uploads: Upload[] = [];
  let gathered: string[] = [];
  const flush = () => {
    if (gathered.length > 0)
      uploads.push({ lines: gathered.length, body: gzipSync(gathered.join('\n'), { level: 1 }) });
    gathered = [];
  };
  for await (const line of lines) {
    if (gathered.push(line) === linesPerUpload) flush();
  }
  flush();
  return uploads;
}

export function packFile(path: string, linesPerUpload: number): Promise<Upload[]> {
  return packLines(createInterface({ input: createReadStream(path) }), linesPerUpload);
}

import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { DemoRequest } from './traffic/demo-request.js';
import { type DemoFormat, demoFormats, formatters } from './traffic/formats.js';

/** A body as a shipper would post it. */
export interface Upload {
  lines: number;
  contentType: string;
  /** gzip'ed. */
  body: Buffer;
}

export type UploadFormat = DemoFormat | 'mixed';
export const uploadFormats = [...demoFormats, 'mixed'] as const satisfies readonly UploadFormat[];

const compress = promisify(gzip);

/** Packs requests into uploads of at most `linesPerUpload`; `mixed` takes the formats in turn, one an upload. */
export async function* packUploads(
  requests: Iterable<DemoRequest>,
  format: UploadFormat,
  linesPerUpload: number,
): AsyncGenerator<Upload, void, undefined> {
  let uploads = 0;
  const currentFormat = (): DemoFormat =>
    format === 'mixed' ? demoFormats[uploads % demoFormats.length]! : format;
  let lines: string[] = [];
  for (const request of requests) {
    lines.push(formatters[currentFormat()](request));
    if (lines.length < linesPerUpload) continue;
    yield await pack(lines, currentFormat());
    uploads += 1;
    lines = [];
  }
  if (lines.length > 0) yield await pack(lines, currentFormat());
}

async function pack(lines: string[], format: DemoFormat): Promise<Upload> {
  const body = await compress(`${lines.join('\n')}\n`, { level: constants.Z_BEST_SPEED });
  return {
    lines: lines.length,
    contentType: format === 'combined' ? 'text/plain' : 'application/x-ndjson',
    body,
  };
}

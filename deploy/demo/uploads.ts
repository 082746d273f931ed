import type { DemoRequest } from './traffic/demo-request.js';
import { type DemoFormat, demoFormats, formatters } from './traffic/formats.js';

/** The body of an upload, as a log shipper sends it. */
export interface Upload {
  lines: number;
  body: Buffer;
}

export type UploadFormat = DemoFormat | 'mixed';

/** Packs requests into uploads of at most `linesPerUpload`. `mixed` alternates the formats, with one per upload. */
export function* packUploads(
  requests: Iterable<DemoRequest>,
  format: UploadFormat,
  linesPerUpload: number,
): Generator<Upload, void, undefined> {
  let uploads = 0;
  let lines: string[] = [];
  const pack = (): Upload => {
    const upload = { lines: lines.length, body: Buffer.from(`${lines.join('\n')}\n`) };
    uploads += 1;
    lines = [];
    return upload;
  };
  for (const request of requests) {
    const formatOfUpload = format === 'mixed' ? demoFormats[uploads % demoFormats.length]! : format;
    lines.push(formatters[formatOfUpload](request));
    if (lines.length === linesPerUpload) yield pack();
  }
  if (lines.length > 0) yield pack();
}

import { gzipSync } from 'node:zlib';
import type { DemoRequest } from '../../../deploy/demo/traffic/demo-request.js';
import { type DemoFormat, formatters } from '../../../deploy/demo/traffic/formats.js';
import type { Upload } from '../uploads.js';

/** Uploads of these requests whose lines get the current time when they are sent, like those of a log shipper. */
export function liveUploads(
  requests: readonly DemoRequest[],
  format: DemoFormat,
  linesPerUpload: number,
): Upload[] {
  const toLine = formatters[format];
  return Array.from({ length: Math.ceil(requests.length / linesPerUpload) }, (_, index) => {
    const own = requests.slice(index * linesPerUpload, (index + 1) * linesPerUpload);
    return {
      lines: own.length,
      get body() {
        const timestamp = Date.now();
        return gzipSync(own.map((request) => toLine({ ...request, timestamp })).join('\n'), { level: 1 });
      },
    };
  });
}

import { createColumnBuilder } from '../../shared/requests/columns/column-builder.js';
import { encodeColumnBlock } from '../../shared/requests/columns/raw-block-codec.js';
import type { RawBlock } from '../../shared/requests/raw-request.js';

/**
 * A record of `requests.raw` with any times and sizes that its bytes can represent: ingest writes no such
 * numbers.
 */
export function uncheckedBlock(block: RawBlock): Buffer {
  const { requests } = block;
  const builder = createColumnBuilder(requests.length);
  for (const request of requests) builder.add({ ...request, timestamp: 0, bytes_sent: 0 });
  const columns = () => ({
    ...builder.columns(),
    timestamp: Float64Array.from(requests, ({ timestamp }) => timestamp),
    bytes_sent: Float64Array.from(requests, ({ bytes_sent }) => bytes_sent),
  });
  return encodeColumnBlock(block, { ...builder, columns });
}

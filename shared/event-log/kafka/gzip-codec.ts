import { promisify } from 'node:util';
import { gunzipSync, gzip, unzip } from 'node:zlib';
import kafkajs from 'kafkajs';

/**
 * kafkajs inflates each batch of records in a zlib thread, which costs 40 µs of CPU and a wait for a free thread. A small batch takes 10 µs
 * synchronously. Some topics have tens of thousands of small batches, and a start reads all of them.
 */

/** Compressed bytes. Inflating them blocks the event loop for a few milliseconds at most. */
const MOST_BYTES_AT_ONCE = 8 * 1024;

const unzipAside = promisify(unzip);
const gzipAside = promisify(gzip);

export const gzipCodec = {
  compress: ({ buffer }: { readonly buffer: Buffer }): Promise<Buffer> => gzipAside(buffer),
  decompress: (batch: Buffer): Buffer | Promise<Buffer> =>
    batch.length <= MOST_BYTES_AT_ONCE ? gunzipSync(batch) : unzipAside(batch),
};

/** For all clients of the process; kafkajs has no setting of one client. */
export function useGzipCodec(): void {
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.GZIP] = () => gzipCodec;
}

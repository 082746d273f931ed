import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LineOptions } from '../lines.js';
import type { Upload } from '../uploads.js';
import type { MakeUploads } from './make-uploads.js';

/** Makes one piece after another, in a thread that ends with `end`. */
export interface StreamThread {
  readonly make: MakeUploads;
  end(): Promise<void>;
}

/** @param options of the requests that the stream repeats */
export function openStreamThread(options: LineOptions): StreamThread {
  const worker = new Worker(new URL('./stream-thread.mjs', import.meta.url), { workerData: options });
  return {
    async make(piece) {
      const made = once(worker, 'message');
      worker.postMessage(piece);
      const [uploads] = (await made) as [{ lines: number; body: Uint8Array<ArrayBuffer> }[]];
      return uploads.map(({ lines, body }): Upload => ({ lines, body: Buffer.from(body.buffer) }));
    },
    async end() {
      await worker.terminate();
    },
  };
}

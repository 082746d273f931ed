import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LineOptions } from '../lines.js';
import type { Upload } from '../uploads.js';
import type { MakeUploads } from './make-uploads.js';

export interface StreamThread {
  /**
   * One piece at a time.
   * @throws Error if the thread has failed, even earlier
   */
  readonly make: MakeUploads;
  /** Call it without a running call. */
  end(): Promise<void>;
}

/** @param options of the requests that the stream repeats */
export function openStreamThread(options: LineOptions): StreamThread {
  const worker = new Worker(new URL('./stream-thread.mjs', import.meta.url), { workerData: options });
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error));
  // The next call reports the failure.
  failed.catch(() => {});
  return {
    async make(piece) {
      const made = once(worker, 'message');
      worker.postMessage(piece);
      const [uploads] = (await Promise.race([made, failed])) as [
        { lines: number; body: Uint8Array<ArrayBuffer> }[],
      ];
      return uploads.map(({ lines, body }): Upload => ({ lines, body: Buffer.from(body.buffer) }));
    },
    async end() {
      await worker.terminate();
    },
  };
}

import { parentPort, workerData } from 'node:worker_threads';
import { benchRequests, type LineOptions } from '../lines.js';
import { type StreamPiece, uploadsOf } from './make-uploads.js';

/**
 * Makes the uploads of a stream in a thread of its own: half a million requests lie in its heap. In the sender's heap they would be looked
 * through at each of its garbage collections, which cost a tenth of two CPUs beside what is measured.
 */

const make = uploadsOf([...benchRequests(workerData as LineOptions)]);

parentPort!.on('message', async (piece: StreamPiece) => {
  const uploads = (await make(piece)).map(({ lines, body }) => ({ lines, body: new Uint8Array(body) }));
  const memory = uploads.map(({ body }) => body.buffer);
  parentPort!.postMessage(uploads, memory);
});

import { parentPort, workerData } from 'node:worker_threads';
import { benchRequests, type LineOptions } from '../lines.js';
import { createUploadMaker, type StreamPiece } from './make-uploads.js';

/**
 * Makes the uploads of a stream in a thread of its own: half a million requests lie in its heap. In the sender's heap each of its garbage
 * collections looked through them, which cost more than a µs of CPU a line beside what is measured.
 */

const make = createUploadMaker([...benchRequests(workerData as LineOptions)]);

parentPort!.on('message', async (piece: StreamPiece) => {
  // Copied: a Buffer may be part of a larger piece of memory, which can't be handed over.
  const uploads = (await make(piece)).map(({ lines, body }) => ({ lines, body: new Uint8Array(body) }));
  const memory = uploads.map(({ body }) => body.buffer);
  parentPort!.postMessage(uploads, memory);
});

import { parentPort, workerData } from 'node:worker_threads';
import { benchRequests, type LineOptions } from '../lines.js';
import { createUploadMaker, type StreamPiece } from './make-uploads.js';

/**
 * Creates the uploads of a stream in a separate thread, whose heap contains half a million requests. In the
 * sender's heap each garbage collection would scan them, which cost more than 1 µs of CPU a line beside the
 * measured program.
 */

const make = createUploadMaker([...benchRequests(workerData as LineOptions)]);

parentPort!.on('message', async (piece: StreamPiece) => {
  // Copied: a Buffer may be part of a larger memory block, which cannot be transferred.
  const uploads = (await make(piece)).map(({ lines, body }) => ({ lines, body: new Uint8Array(body) }));
  const memory = uploads.map(({ body }) => body.buffer);
  parentPort!.postMessage(uploads, memory);
});

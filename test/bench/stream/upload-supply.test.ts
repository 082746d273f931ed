import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { DemoRequest } from '../../../deploy/demo/traffic/demo-request.js';
import { formatters } from '../../../deploy/demo/traffic/formats.js';
import { benchRequests, type LineOptions } from '../lines.js';
import type { Upload } from '../uploads.js';
import { createUploadMaker, type StreamPiece } from './make-uploads.js';
import { openStreamThread } from './open-stream-thread.js';
import { fileSupply, streamSupply } from './upload-supply.js';

const requestOptions: LineOptions = {
  count: 300,
  seed: 'bench',
  days: 1,
  end: Date.parse('2026-11-21'),
  domain: 'example.com',
};
const requests: DemoRequest[] = [...benchRequests(requestOptions)];

const linesOf = (uploads: readonly Upload[]) =>
  uploads.flatMap(({ body }) => gunzipSync(body).toString().split('\n')).map((line) => JSON.parse(line));

/** A supply whose uploads take this long to create, and the requested pieces. */
function supplyThatTakes(ms: number) {
  const pieces: StreamPiece[] = [];
  const supply = streamSupply(
    async (piece) => {
      pieces.push(piece);
      await sleep(ms);
      return [];
    },
    'combined',
    100,
  );
  return { supply, pieces };
}

it('gives the lines of a piece their sending times, in uploads of the requested size', async () => {
  const make = createUploadMaker(requests);
  const start = Date.parse('2026-11-22T10:00:00Z');
  const piece = {
    format: 'loglane',
    linesPerUpload: 100,
    first: 0,
    lines: 250,
    start,
    linesPerSecond: 400,
  } as const;
  const uploads = await make(piece);
  expect(uploads.map((upload) => upload.lines)).toEqual([100, 100, 50]);
  const times = linesOf(uploads).map(({ timestamp }) => Date.parse(timestamp));
  expect(times).toEqual(times.map((_, line) => start + Math.floor(2.5 * line)));
});

it('writes the lines in the requested format', async () => {
  const piece = { linesPerUpload: 10, first: 0, lines: 1, start: 0, linesPerSecond: 1 } as const;
  const [upload] = await createUploadMaker(requests)({ ...piece, format: 'combined' });
  const wanted = formatters.combined({ ...requests[0]!, timestamp: 0 });
  expect(gunzipSync(upload!.body).toString()).toBe(wanted);
});

it('returns a stream when its time begins, and estimates from one piece how long the next takes to create', async () => {
  const { supply, pieces } = supplyThatTakes(200);
  const began = Date.now();
  await supply(1, 100);
  const [first] = pieces;
  expect(first).toMatchObject({ first: 0, lines: 100, linesPerSecond: 100, linesPerUpload: 100 });
  expect(first!.start - began).toBeLessThan(100);
  const asked = Date.now();
  await supply(1, 100);
  // 2 ms a line, as for the first piece, and somewhat more.
  expect(pieces[1]!.start - asked).toBeGreaterThan(200);
  expect(Date.now()).toBeGreaterThanOrEqual(pieces[1]!.start - 1);
});

it('continues with the next requests, and starts again after the last', async () => {
  const supply = streamSupply(createUploadMaker(requests), 'loglane', 100);
  const ids = linesOf([...(await supply(1, 250)), ...(await supply(0.4, 250))]).map(
    ({ request_id: id }) => id,
  );
  const wanted = [...requests, ...requests].slice(0, 350).map(({ request_id: id }) => id);
  expect(ids).toEqual(wanted);
});

it('requests at least one line', async () => {
  const { supply, pieces } = supplyThatTakes(0);
  await supply(0.001, 10);
  expect(pieces[0]!.lines).toBe(1);
});

it('creates the same uploads in a thread as here', async () => {
  const thread = openStreamThread(requestOptions);
  try {
    const piece = {
      format: 'combined',
      linesPerUpload: 100,
      first: 250,
      lines: 120,
      start: 0,
      linesPerSecond: 9,
    } as const;
    expect(await thread.make(piece)).toEqual(await createUploadMaker(requests)(piece));
  } finally {
    await thread.end();
  }
});

it('reports the reason why its thread failed', async () => {
  const thread = openStreamThread({ ...requestOptions, end: Number.NaN });
  const piece = {
    format: 'combined',
    linesPerUpload: 1,
    first: 0,
    lines: 1,
    start: 0,
    linesPerSecond: 1,
  } as const;
  await expect(thread.make(piece)).rejects.toThrow();
  await thread.end();
});

it('returns a file unchanged', async () => {
  const uploads = [{ lines: 1, body: Buffer.from('a') }];
  expect(await fileSupply(uploads)(60, 1_000)).toBe(uploads);
});

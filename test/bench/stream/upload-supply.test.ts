import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { DemoRequest } from '../../../deploy/demo/traffic/demo-request.js';
import { benchRequests } from '../lines.js';
import type { Upload } from '../uploads.js';
import { uploadsOf } from './make-uploads.js';
import { fileSupply, streamSupply } from './upload-supply.js';

const requests: DemoRequest[] = [
  ...benchRequests({
    count: 300,
    seed: 'bench',
    days: 1,
    end: Date.parse('2026-11-21'),
    domain: 'example.com',
  }),
];

const linesOf = (uploads: readonly Upload[]) =>
  uploads.flatMap(({ body }) => gunzipSync(body).toString().split('\n')).map((line) => JSON.parse(line));

it('gives the requests of a stream the times of their sending, in uploads of the size asked for', async () => {
  const supply = streamSupply(uploadsOf(requests), 'loglane', 100);
  const uploads = await supply(2, 200);
  const [now, lines] = [Date.now(), linesOf(uploads)];
  expect(uploads.map((upload) => upload.lines)).toEqual([100, 100, 100, 100]);
  const first = Date.parse(lines[0].timestamp);
  expect(lines.map(({ timestamp }) => Date.parse(timestamp) - first)).toEqual(
    lines.map((_, line) => 5 * line),
  );
  expect(now - first).toBeGreaterThanOrEqual(0);
  expect(now - first).toBeLessThan(2_000);
});

it('goes on with the requests where it ended, and begins anew behind the last', async () => {
  const supply = streamSupply(uploadsOf(requests), 'loglane', 100);
  const ids = linesOf([...(await supply(1, 250)), ...(await supply(1, 100))]).map(({ request_id: id }) => id);
  const wanted = [...requests, ...requests].slice(0, 350).map(({ request_id: id }) => id);
  expect(ids).toEqual(wanted);
});

it('gives a file as it is', async () => {
  const uploads = [{ lines: 1, body: Buffer.from('a') }];
  expect(await fileSupply(uploads)(60, 1_000)).toBe(uploads);
});

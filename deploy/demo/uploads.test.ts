import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { demoTraffic } from './traffic/demo-traffic.js';
import { formatters } from './traffic/formats.js';
import { packUploads, type Upload, type UploadFormat } from './uploads.js';

const requests = [
  ...demoTraffic({
    seed: 'uploads',
    days: 1,
    requestsPerDay: 1_000,
    end: Date.parse('2026-11-21T00:00:00Z'),
    domain: 'example.com',
  }),
];

async function pack(format: UploadFormat): Promise<{ uploads: Upload[]; lines: string[][] }> {
  const uploads: Upload[] = [];
  for await (const upload of packUploads(requests, format, 300)) uploads.push(upload);
  const lines = uploads.map(({ body }) => gunzipSync(body).toString().trimEnd().split('\n'));
  return { uploads, lines };
}

it('packs every request once, in order, and says how many each upload holds', async () => {
  const { uploads, lines } = await pack('loglane');
  expect(lines.flat()).toEqual(requests.map(formatters.loglane));
  expect(uploads.map((upload) => upload.lines)).toEqual(lines.map((some) => some.length));
  expect(Math.max(...uploads.map((upload) => upload.lines))).toBe(300);
});

it('takes the formats in turn when mixed, never two in one upload', async () => {
  const { uploads, lines } = await pack('mixed');
  const turns = ['loglane', 'logpush', 'combined'] as const;
  const expected = requests.map((request, index) => formatters[turns[Math.floor(index / 300) % 3]!](request));
  expect(lines.flat()).toEqual(expected);
  expect(uploads[2]?.contentType).toBe('text/plain');
});

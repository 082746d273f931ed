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

function pack(format: UploadFormat): { uploads: Upload[]; lines: string[][] } {
  const uploads = [...packUploads(requests, format, 300)];
  return { uploads, lines: uploads.map(({ body }) => body.toString().trimEnd().split('\n')) };
}

it('packs every request once, in order, and counts the requests of each upload', () => {
  const { uploads, lines } = pack('loglane');
  expect(lines.flat()).toEqual(requests.map(formatters.loglane));
  expect(uploads.map((upload) => upload.lines)).toEqual(lines.map((some) => some.length));
  expect(Math.max(...uploads.map((upload) => upload.lines))).toBe(300);
});

it('alternates the formats when mixed, never two in one upload', () => {
  const { lines } = pack('mixed');
  const turns = ['loglane', 'logpush', 'combined'] as const;
  const expected = requests.map((request, index) => formatters[turns[Math.floor(index / 300) % 3]!](request));
  expect(lines.flat()).toEqual(expected);
});

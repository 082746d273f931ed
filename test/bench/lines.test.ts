import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { demoFormats, formatters } from '../../deploy/demo/traffic/formats.js';
import { benchRequests, type LineOptions, writeLineFiles } from './lines.js';

const options: LineOptions = {
  count: 4_321,
  seed: 'bench',
  days: 2,
  end: Date.parse('2026-11-21T00:00:00Z'),
  domain: 'example.com',
};
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loglane-lines-'));
});
afterEach(() => rm(folder, { recursive: true }));

it.each([1, 50, 2_000, 60_000])('creates exactly %d requests, none later than the end', (count) => {
  const requests = [...benchRequests({ ...options, count })];
  expect(requests).toHaveLength(count);
  expect(requests.at(-1)!.timestamp).toBeLessThan(options.end);
});

it('writes the same requests in every format, each line complete', async () => {
  const files = await writeLineFiles(folder, demoFormats, options);
  const requests = [...benchRequests(options)];
  expect(files.map(({ format }) => format)).toEqual([...demoFormats]);
  for (const { format, path, lines, bytes } of files) {
    const text = await readFile(path, 'utf8');
    expect(text.trimEnd().split('\n')).toEqual(requests.map(formatters[format]));
    expect([lines, bytes]).toEqual([options.count, Buffer.byteLength(text)]);
  }
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('reuses a finished file, and writes another one for other options', async () => {
  const [first] = await writeLineFiles(folder, ['combined'], options);
  const before = await stat(first!.path);
  const [again] = await writeLineFiles(folder, ['combined'], options);
  expect(again).toEqual(first);
  expect((await stat(again!.path)).mtimeMs).toBe(before.mtimeMs);
  const [other] = await writeLineFiles(folder, ['combined'], { ...options, count: 10 });
  expect(other!.path).not.toBe(first!.path);
});

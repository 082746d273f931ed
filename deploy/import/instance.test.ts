import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findInstance } from './instance.js';

const credentials = {
  base_url: 'http://127.0.0.1:8080',
  ingest_url: 'http://127.0.0.1:8081/v1/logs',
  website_id: 'web_1',
  ingest_key: 'll_1',
  api_key: 'llapi_1',
};
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loglane-demo-'));
  path = join(folder, 'credentials.json');
  await writeFile(path, JSON.stringify(credentials));
});
afterEach(() => rm(folder, { recursive: true }));

it('comes from the credentials file', async () => {
  expect(await findInstance(path, {})).toEqual({
    ingestUrl: credentials.ingest_url,
    ingestKey: 'll_1',
    api: { baseUrl: credentials.base_url, websiteId: 'web_1', apiKey: 'llapi_1' },
  });
});

it('is never read back with the key of another website', async () => {
  const instance = await findInstance(path, { key: 'll_2' });
  expect(instance).toEqual({ ingestUrl: credentials.ingest_url, ingestKey: 'll_2', api: null });
});

it('needs no file if address and key are given', async () => {
  const given = { url: 'http://elsewhere.test/v1/logs', key: 'll_3' };
  expect(await findInstance(join(folder, 'none.json'), given)).toEqual({
    ingestUrl: given.url,
    ingestKey: 'll_3',
    api: null,
  });
});

it.each([
  ['is not there', 'none.json', undefined],
  ['is not a credentials file', 'broken.json', '{"base_url":'],
  ['is not a credentials file', 'other.json', '{"name":"loglane"}'],
])('fails with a message of one line if the file %s', async (reason, name, content) => {
  const broken = join(folder, name);
  if (content !== undefined) await writeFile(broken, content);
  await expect(findInstance(broken, {})).rejects.toEqual(
    expect.objectContaining({ exitCode: 1, message: expect.stringMatching(new RegExp(`^[^\\n]*${reason}`)) }),
  );
});

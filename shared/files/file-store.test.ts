import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../test/harness/s3-server.js';
import { type FileStore, FileStoreError, isFileKey, removeAll } from './file-store.js';
import { openLocalFiles } from './local-files.js';
import { openFileStore } from './open-file-store.js';
import { openS3Files } from './s3-files.js';
import { FILES_PATH, verifyFile } from './signed-link.js';

const BASE = 'https://api.example';
const csv = { contentType: 'text/csv' };

let directory: string;
const servers: S3Server[] = [];
const opened = new Map<string, FileStore>();
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-files-'));
  opened.set('a bucket', await openBucket({ anySignature: true }));
  opened.set('a strict bucket', await openBucket({ anySignature: false }));
  opened.set('a folder', await openLocalFiles(directory, BASE));
});

afterAll(async () => {
  for (const close of closers) close();
  await Promise.all(servers.map((server) => server.stop()));
  await rm(directory, { recursive: true, force: true });
});

async function openBucket(options: { anySignature: boolean }): Promise<FileStore> {
  const server = await startS3Server(options);
  servers.push(server);
  const { bucket, endpoint, ...credentials } = server;
  const store = openS3Files({ bucket, endpoint, credentials, region: 'us-east-1', now: Date.now });
  closers.push(() => store.close());
  return store;
}

async function keysOf(store: FileStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

describe.each(['a folder', 'a bucket'])('%s', (name) => {
  const store = () => opened.get(name)!;

  test('returns the stored file, which replaces an earlier one', async () => {
    await store().put('web_1/a.csv', Readable.from(['old, and longer']), csv);
    await store().put('web_1/a.csv', Readable.from(['a,b\r\n', '1,2\r\n']), csv);
    expect(String(await buffer(await store().open('web_1/a.csv')))).toBe('a,b\r\n1,2\r\n');
    expect(await store().stat('web_1/a.csv')).toMatchObject({ key: 'web_1/a.csv', bytes: 10 });
  });

  test('stores a file of many parts', async () => {
    const bytes = randomBytes(40 * 1024 ** 2);
    const pieces = Array.from({ length: 40 }, (_, at) =>
      bytes.subarray(at * 1024 ** 2, (at + 1) * 1024 ** 2),
    );
    await store().put('web_1/large.bin', Readable.from(pieces), csv);
    expect((await buffer(await store().open('web_1/large.bin'))).equals(bytes)).toBe(true);
  });

  test('stores an empty file', async () => {
    await store().put('web_1/empty', Readable.from([]), csv);
    expect(await store().stat('web_1/empty')).toMatchObject({ bytes: 0 });
  });

  test('stores nothing if the bytes break off, and keeps the earlier file', async () => {
    await store().put('web_2/a', Readable.from(['whole']), csv);
    async function* broken() {
      yield 'half';
      throw new Error('the engine ended');
    }
    await expect(store().put('web_2/a', Readable.from(broken()), csv)).rejects.toThrow('the engine ended');
    await expect(store().put('web_2/b', Readable.from(broken()), csv)).rejects.toThrow('the engine ended');
    expect(await keysOf(store(), 'web_2/')).toEqual(['web_2/a']);
    expect(String(await buffer(await store().open('web_2/a')))).toBe('whole');
  });

  test('stores nothing of a cancelled upload', async () => {
    const giveUp = new AbortController();
    async function* slow() {
      yield 'half';
      giveUp.abort(new Error('nobody waits'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield 'rest';
    }
    const put = store().put('web_3/a', Readable.from(slow()), { ...csv, signal: giveUp.signal });
    await expect(put).rejects.toThrow();
    expect(await store().stat('web_3/a')).toBeNull();
  });

  test('removes a file, and a missing one is no error', async () => {
    for (const key of ['web_4/x/1', 'web_4/x/2', 'web_40/x/3'])
      await store().put(key, Readable.from(['x']), csv);
    expect(await removeAll(store(), 'web_4/')).toBe(2);
    expect(await keysOf(store(), 'web_4')).toEqual(['web_40/x/3']);
    await store().remove('web_4/x/1');
    expect(await store().stat('web_4/x/1')).toBeNull();
    await expect(store().open('web_4/x/1')).rejects.toThrow(FileStoreError);
  });

  test.each([
    '../a',
    'a/../b',
    '/a',
    'a//b',
    '.secret',
    'a/.writing/b',
    'a b',
    'a\\b',
    '',
    `${'a'.repeat(901)}`,
  ])('has no file %j', async (key) => {
    expect(isFileKey(key)).toBe(false);
    await expect(store().put(key, Readable.from(['x']), csv)).rejects.toThrow('not a valid file key');
    await expect(
      store()
        .open(key)
        .then(() => 'opened'),
    ).rejects.toThrow('not a valid file key');
  });
});

test('a link to a bucket returns the file under its name, without a key, and no other file', async () => {
  const store = opened.get('a strict bucket')!;
  await store.put('web_5/a', Readable.from(['told']), csv);
  const link = await store.link('web_5/a', { expiresAt: Date.now() + 60_000, name: 'paths.csv' });
  const answer = await fetch(link);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="paths.csv"');
  expect(await answer.text()).toBe('told');
  const other = await fetch(link.replace('web_5/a', 'web_5/b'));
  expect(other.status).toBe(403);
  expect(new URL(link).searchParams.get('X-Amz-Expires')).toMatch(/^(59|60)$/);
});

describe('a link to a folder', () => {
  const secret = Buffer.from('0'.repeat(32));
  const now = Date.UTC(2026, 10, 22);

  async function partsOf() {
    const local = await openLocalFiles(directory, BASE);
    const link = await local.link('web_1/a.csv', { expiresAt: now + 60_000, name: 'a.csv' });
    const url = new URL(link);
    expect(url.href.startsWith(`${BASE}${FILES_PATH}/web_1/a.csv?`)).toBe(true);
    const given = Object.fromEntries(url.searchParams) as {
      expires: string;
      name: string;
      signature: string;
    };
    return { secret: local.secret, given: { key: 'web_1/a.csv', ...given } };
  }

  test('returns its file until it expires', async () => {
    const { secret: own, given } = await partsOf();
    expect(verifyFile(own, given, now)).toEqual({
      key: 'web_1/a.csv',
      expiresAt: now + 60_000,
      name: 'a.csv',
    });
    expect(verifyFile(own, given, now + 60_000)).toBeNull();
  });

  test('returns nothing if any part of it is changed', async () => {
    const { secret: own, given } = await partsOf();
    expect(verifyFile(own, { ...given, key: 'web_2/a.csv' }, now)).toBeNull();
    expect(verifyFile(own, { ...given, expires: String(Number(given.expires) + 1) }, now)).toBeNull();
    expect(verifyFile(own, { ...given, name: 'b.html' }, now)).toBeNull();
    expect(verifyFile(own, { ...given, signature: '' }, now)).toBeNull();
    expect(verifyFile(own, { ...given, signature: given.signature.slice(1) }, now)).toBeNull();
    expect(verifyFile(own, { ...given, signature: undefined }, now)).toBeNull();
    expect(verifyFile(secret, given, now)).toBeNull();
  });

  test('is valid in every process that uses the folder', async () => {
    const fresh = await mkdtemp(join(tmpdir(), 'loglane-files-'));
    const both = await Promise.all([1, 2, 3].map(() => openLocalFiles(fresh, BASE)));
    expect(new Set(both.map(({ secret: each }) => each.toString('hex'))).size).toBe(1);
    expect((await stat(join(fresh, '.secret'))).mode & 0o077).toBe(0);
    expect((await readdir(fresh)).sort()).toEqual(['.secret', '.writing']);
    await rm(fresh, { recursive: true });
  });
});

test.each(['.DS_Store', '.requests.parquet.crc', 'requests (copy).parquet'])(
  'a foreign file, %s, is removed with its website, and nothing outside the folder is',
  async (odd) => {
    const fresh = await mkdtemp(join(tmpdir(), 'loglane-files-'));
    const store = await openLocalFiles(fresh, BASE);
    await store.put('web_1/x/a.csv', Readable.from(['x']), csv);
    await writeFile(join(fresh, 'web_1/x', odd), 'x');
    expect(await removeAll(store, 'web_1/')).toBe(2);
    expect((await readdir(fresh)).sort()).toEqual(['.secret', '.writing']);
    for (const key of ['../outside', 'web_1/../../outside', '.secret', 'web_1/../.secret', ''])
      await expect(store.remove(key)).rejects.toThrow('not a valid file key');
    await rm(fresh, { recursive: true });
  },
);

test('a file that cannot be removed does not stop the removal of others', async () => {
  const removed: string[] = [];
  const store = {
    async *list() {
      for (const key of ['a', 'b', 'c']) yield { key, bytes: 1, modifiedAt: 0 };
    },
    async remove(key: string) {
      if (key === 'a') throw new Error('not now');
      removed.push(key);
    },
  } as unknown as FileStore;
  await expect(removeAll(store, '')).rejects.toThrow('1 of 3 files');
  expect(removed).toEqual(['b', 'c']);
});

test('a truncated secret signs nothing', async () => {
  const fresh = await mkdtemp(join(tmpdir(), 'loglane-files-'));
  await writeFile(join(fresh, '.secret'), 'short');
  await expect(openLocalFiles(fresh, BASE)).rejects.toThrow('fewer than 32 bytes');
  await rm(fresh, { recursive: true });
});

test('a bucket that does not answer, or breaks off in its response, is an error', async () => {
  const silent = createServer((request, response) => {
    if (request.method === 'GET') response.writeHead(200).write('<?xml version="1.0"?><ListBucketResult>');
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const store = openS3Files({
    bucket: 'b',
    endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    region: 'us-east-1',
    now: Date.now,
    silenceMs: 100,
  });
  const put = store.put('web_1/a', Readable.from(['x']), csv);
  await Promise.all([
    expect(put).rejects.toThrow(FileStoreError),
    expect(store.stat('web_1/a')).rejects.toThrow(FileStoreError),
    expect(store.remove('web_1/a')).rejects.toThrow(FileStoreError),
    expect(keysOf(store, 'web_1/')).rejects.toThrow(FileStoreError),
  ]);
  store.close();
  silent.closeAllConnections();
  silent.close();
}, 20_000);

test('listing or removal in a bucket that hangs ends with the signal’s reason', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const store = openS3Files({
    bucket: 'b',
    endpoint: `http://127.0.0.1:${(mute.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    region: 'us-east-1',
    now: Date.now,
  });
  const ended = new AbortController();
  const { signal } = ended;
  const list = async () => {
    for await (const _ of store.list('web_1/', { signal }));
  };
  const both = Promise.all([
    expect(list()).rejects.toThrow('the replica ends'),
    expect(store.remove('web_1/a', { signal })).rejects.toThrow('the replica ends'),
    expect(removeAll(store, 'web_1/', { signal })).rejects.toThrow('the replica ends'),
  ]);
  setTimeout(() => ended.abort(new Error('the replica ends')), 50);
  await both;
  store.close();
  mute.closeAllConnections();
  mute.close();
});

test('a folder lists and removes nothing more once its signal has fired', async () => {
  const store = opened.get('a folder')!;
  await store.put('web_9/a.csv', Readable.from(['x']), csv);
  const signal = AbortSignal.abort(new Error('the replica ends'));
  await expect(removeAll(store, 'web_9/', { signal })).rejects.toThrow('the replica ends');
  await expect(store.remove('web_9/a.csv', { signal })).rejects.toThrow('the replica ends');
  expect(await keysOf(store, 'web_9/')).toEqual(['web_9/a.csv']);
});

test('separate services have no folder unless one is configured', async () => {
  const config = { DATA_DIR: directory, S3_REGION: 'us-east-1', KAFKA_BROKERS: 'kafka:9092' } as const;
  const options = { base: BASE, now: Date.now };
  expect(await openFileStore(config as never, options)).toBeNull();
  const named = await openFileStore({ ...config, FILES_DIR: directory } as never, options);
  expect(named?.local).not.toBeNull();
  const half = { ...config, S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'x' };
  await expect(openFileStore(half as never, options)).rejects.toThrow('S3_ACCESS_KEY_ID');
});

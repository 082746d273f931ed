import { copyFileSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLogFile } from './check-file.js';

const folders: string[] = [];
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'loglane-log-'));
  folders.push(made);
  return made;
};
afterAll(() => folders.forEach((path) => void rmSync(path, { recursive: true })));

let whole: string;
beforeAll(async () => {
  whole = folder();
  await fill(whole);
});

async function fill(directory: string): Promise<void> {
  const root = open({ path: directory, noSubdir: false, overlappingSync: false, maxDbs: 4 });
  const records = root.openDB<Buffer, number>('records', { encoding: 'binary' });
  for (let record = 0; record < 50; record++) await records.put(record, Buffer.alloc(5_000, 1));
  await root.close();
}

const copied = (damage: (path: string, bytes: number) => void) => {
  const directory = folder();
  const path = join(directory, 'data.mdb');
  copyFileSync(join(whole, 'data.mdb'), path);
  damage(path, statSync(path).size);
  return directory;
};

it('accepts a new log and an intact one', () => {
  expect(() => checkLogFile(folder())).not.toThrow();
  expect(() => checkLogFile(whole)).not.toThrow();
});

it('accepts a file without pages at its end that were freed before they were written', async () => {
  const directory = folder();
  await fill(directory);
  const root = open({ path: directory, noSubdir: false, overlappingSync: false, maxDbs: 4 });
  const records = root.openDB<Buffer, number>('records', { encoding: 'binary' });
  root.transactionSync(() => {
    for (let record = 100; record < 120; record++) records.putSync(record, Buffer.alloc(50_000, 1));
    for (let record = 100; record < 120; record++) records.removeSync(record);
  });
  await root.close();
  expect(() => checkLogFile(directory)).not.toThrow();
});

it.each([1, 4_096, 100_000])('names a file that lacks its last %d bytes', (missing) => {
  const directory = copied((path, bytes) => truncateSync(path, bytes - missing));
  expect(() => checkLogFile(directory)).toThrow(/data\.mdb is damaged: it has \d+ of \d+ bytes.*restore/);
});

it.each([100, 4_200])('names a file that is truncated to %d bytes', (left) => {
  const directory = copied((path) => truncateSync(path, left));
  expect(() => checkLogFile(directory)).toThrow(/its first two pages are damaged/);
});

it.each([0, 4_096])('names a file whose page at %d is overwritten', (at) => {
  const directory = copied(
    (path) => void writeSync(openSync(path, 'r+'), Buffer.alloc(4_096, 7), 0, 4_096, at),
  );
  expect(() => checkLogFile(directory)).toThrow(/its first two pages are damaged/);
});

import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ConfigError } from '../../../shared/config.js';

/** The file with LMDB's pages in a log's directory. */
const DATA_FILE = 'data.mdb';

/** Offsets in a meta page of the `lmdb` package's library (`MDB_page`, `MDB_meta` in its mdb.c), little-endian. */
const PLACES = {
  flags: 18,
  magic: 24,
  version: 28,
  pageSize: 48,
  lastPage: 144,
  transaction: 152,
  end: 160,
} as const;
const META_FLAG = 8;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const [LEAST_PAGE, MOST_PAGE] = [4_096, 65_536];

interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
}

/**
 * Refuses a truncated log file, or one with damaged meta pages. LMDB maps the file into memory, so a read past its end would end the process
 * without a message. A log without a file is new.
 * @throws ConfigError that names the file and says how to restore
 */
export function checkLogFile(directory: string): void {
  const path = join(directory, DATA_FILE);
  const file = openIfThere(path);
  if (file === null) return;
  try {
    const { size } = fstatSync(file);
    if (size === 0) return;
    const metas = readMetas(file);
    if (metas === null) throw damaged(path, 'its first two pages are damaged');
    const newest = metas[0].transaction > metas[1].transaction ? metas[0] : metas[1];
    const needed = (newest.lastPage + 1) * newest.pageSize;
    // Pages that were freed before they were written may be missing at the end of the file.
    const isWhole = size % newest.pageSize === 0 && (size >= needed || isReadable(directory));
    if (!isWhole) throw damaged(path, `it has ${size} of ${needed} bytes`);
  } finally {
    closeSync(file);
  }
}

function damaged(path: string, how: string): ConfigError {
  return new ConfigError(
    `the log file ${path} is damaged: ${how}. Restore an intact copy of the file. Without a copy, move its directory away and restore websites and keys (npm run admin -- restore <file>). Stored requests stay in the store`,
  );
}

/** Script that reads every record. Its arguments are the path of `lmdb` and the log's directory. */
const READ_ALL = `
const { open } = require(process.argv[1]);
const root = open({ path: process.argv[2], noSubdir: false, readOnly: true, maxDbs: 4 });
for (const name of ['records', 'state'])
  for (const { value } of root.openDB(name, { encoding: 'binary' })?.getRange() ?? []) value.toString('latin1');
`;

/** Reads the log in another process, since reading a missing page ends the process. */
function isReadable(directory: string): boolean {
  const lmdb = createRequire(import.meta.url).resolve('lmdb');
  const { status } = spawnSync(process.execPath, ['-e', READ_ALL, lmdb, directory], { stdio: 'ignore' });
  return status === 0;
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function readMetas(file: number): [Meta, Meta] | null {
  const first = readMeta(file, 0);
  const second = first && readMeta(file, first.pageSize);
  return second && [first, second];
}

function readMeta(file: number, at: number): Meta | null {
  const page = Buffer.alloc(PLACES.end);
  if (readSync(file, page, 0, page.length, at) < page.length) return null;
  if ((page.readUInt16LE(PLACES.flags) & META_FLAG) === 0) return null;
  if (page.readUInt32LE(PLACES.magic) !== MAGIC || page.readUInt32LE(PLACES.version) !== VERSION) return null;
  const pageSize = page.readUInt32LE(PLACES.pageSize);
  if (pageSize < LEAST_PAGE || pageSize > MOST_PAGE) return null;
  return {
    pageSize,
    lastPage: Number(page.readBigUInt64LE(PLACES.lastPage)),
    transaction: page.readBigUInt64LE(PLACES.transaction),
  };
}

import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../shared/config.js';
import { openControlLog } from './open-control-log.js';

const logger = pino({ level: 'silent' });
let directory: string;
let mask: number;
beforeEach(async () => {
  mask = process.umask(0o022);
  directory = await mkdtemp(join(tmpdir(), 'loglane-restore-'));
});
afterEach(async () => {
  process.umask(mask);
  await rm(directory, { recursive: true });
});

/** @returns the files of the folder that other users may access. */
async function openToOthers(path: string): Promise<string[]> {
  const names = ['', ...(await readdir(path, { recursive: true }))];
  const modes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).mode & 0o077));
  return names.filter((_, index) => modes[index] !== 0);
}

test.each(['new', 'open'])(
  'a restore restricts a %s data folder and all its files to the owner',
  async (kind) => {
    const dataDir = join(directory, 'data');
    if (kind === 'open') {
      await mkdir(dataDir);
      await chmod(dataDir, 0o755);
    }
    const log = await openControlLog(loadConfig({ DATA_DIR: dataDir }), logger);
    expect(await openToOthers(dataDir)).toEqual([]);
    await log.close();
    expect(await openToOthers(dataDir)).toEqual([]);
    expect((await readdir(dataDir, { recursive: true })).length).toBeGreaterThan(1);
  },
);

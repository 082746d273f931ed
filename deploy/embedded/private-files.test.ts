import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makePrivate } from './private-files.js';

it('restricts every file of the folder to the owner, and does not change targets of links', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'loglane-private-'));
  const outside = join(directory, 'outside.txt');
  const data = join(directory, 'data');
  const file = join(data, 'deep', 'rows.bin');
  await mkdir(join(data, 'deep'), { recursive: true });
  await writeFile(outside, 'x');
  await writeFile(file, 'x');
  await symlink(outside, join(data, 'link'));
  for (const path of [outside, file]) await chmod(path, 0o644);
  for (const path of [data, join(data, 'deep')]) await chmod(path, 0o755);
  await makePrivate(data);
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  expect(await modeOf(data)).toBe(0o700);
  expect(await modeOf(join(data, 'deep'))).toBe(0o700);
  expect(await modeOf(file)).toBe(0o600);
  expect(await modeOf(outside)).toBe(0o644);
  await rm(directory, { recursive: true });
});

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { build } from '../build/build.mjs';

/** The built file, as `npx loglane` runs it. */

const { bin, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const LARGEST_BYTES = 2 * 1024 ** 2;

beforeAll(async () => {
  expect(await build(process.cwd())).toBe(true);
});

function start(words: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(bin.loglane, words, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env },
  });
  return { status, stdout, stderr };
}

it('is one file of at most 2 MiB that runs by itself', () => {
  expect(statSync(bin.loglane).size).toBeLessThan(LARGEST_BYTES);
  expect(start(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

it('knows the operations', () => {
  expect(start(['traffic', 'paths', '--help']).stdout).toContain(
    'GET /public/v1/websites/{website_id}/paths',
  );
});

it('ends with its exit codes', () => {
  expect(start(['setup', 'get'])).toMatchObject({ status: 4, stdout: '' });
  const nobody = { LOGLANE_URL: 'http://127.0.0.1:1', LOGLANE_KEY: 'llapi_x', LOGLANE_WEBSITE: 'w1' };
  expect(start(['setup', 'get'], nobody)).toMatchObject({ status: 6, stdout: '' });
});

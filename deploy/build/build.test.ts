import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = resolve('deploy/build/main.mjs');
let root: string;

const write = (name: string, text: string) => writeFileSync(join(root, name), text);
/** Builds and runs. @returns what the program prints with the assets beside it, and whether the compiler ran. */
function start(): { printed: string; compiled: boolean } {
  const { stderr, status } = spawnSync(process.execPath, [script], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`build failed: ${stderr}`);
  const printed = execFileSync(process.execPath, ['dist/services/main.js'], { cwd: root, encoding: 'utf8' });
  const assets = readdirSync(join(root, 'dist/shared')).filter((name) => name.endsWith('.sql'));
  return { printed: [printed.trim(), ...assets].join(' '), compiled: stderr.includes('compiling') };
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loglane-build-'));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  for (const folder of ['services', 'shared', 'deploy']) mkdirSync(join(root, folder));
  write('package.json', '{"type": "module"}');
  write('shared/word.ts', "export const word: string = 'first';\n");
  write(
    'services/main.ts',
    "import { word } from '../shared/word.js';\nif (word === '') throw new Error('no word');\nconsole.log(word);\n",
  );
  write('shared/0001.sql', 'SELECT 1;\n');
});
afterEach(() => rmSync(root, { recursive: true }));

it('compiles a fresh tree, and an unchanged one no second time', () => {
  expect(start()).toEqual({ printed: 'first 0001.sql', compiled: true });
  expect(start()).toEqual({ printed: 'first 0001.sql', compiled: false });
});

it('compiles again what has changed, be its size and time the same', () => {
  start();
  const file = join(root, 'shared/word.ts');
  const { atime, mtime } = statSync(file);
  write('shared/word.ts', "export const word: string = 'other';\n");
  utimesSync(file, atime, mtime);
  expect(start()).toEqual({ printed: 'other 0001.sql', compiled: true });
  expect(start().compiled).toBe(false);
});

it('makes again what is gone from dist or was edited there', () => {
  start();
  rmSync(join(root, 'dist/shared/word.js'));
  expect(start()).toEqual({ printed: 'first 0001.sql', compiled: true });
  write('dist/shared/word.js', "export const word = 'edited';\n");
  expect(start()).toEqual({ printed: 'first 0001.sql', compiled: true });
});

it('takes over assets that are new and leaves none of those that are gone', () => {
  start();
  rmSync(join(root, 'shared/0001.sql'));
  write('shared/0002.sql', 'SELECT 2;\n');
  expect(start()).toEqual({ printed: 'first 0002.sql', compiled: true });
});

it('fails on a source that does not compile, each time, until it does', () => {
  start();
  write('shared/word.ts', "export const word: string = 'unfinished;\n");
  expect(start).toThrow('build failed');
  expect(start).toThrow('build failed');
  write('shared/word.ts', "export const word: string = 'mended';\n");
  expect(start()).toEqual({ printed: 'mended 0001.sql', compiled: true });
});

it('makes source maps, by which a trace names lines of the sources', () => {
  write('shared/word.ts', "export const word: string = '';\n");
  spawnSync(process.execPath, [script], { cwd: root });
  const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', 'dist/services/main.js'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toContain('services/main.ts:2:');
});

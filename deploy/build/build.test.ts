import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = resolve('deploy/build/main.mjs');
let root: string;

const write = (name: string, text: string) => writeFileSync(join(root, name), text);
/** Builds and runs the program. @returns its output with the assets, and whether the compiler ran. */
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

it('compiles a new tree, and does not compile an unchanged one again', () => {
  expect(start()).toEqual({ printed: 'first 0001.sql', compiled: true });
  expect(start()).toEqual({ printed: 'first 0001.sql', compiled: false });
});

it('compiles changed sources again, even with the same size and time', () => {
  start();
  const file = join(root, 'shared/word.ts');
  const { atime, mtime } = statSync(file);
  write('shared/word.ts', "export const word: string = 'other';\n");
  utimesSync(file, atime, mtime);
  expect(start()).toEqual({ printed: 'other 0001.sql', compiled: true });
  expect(start().compiled).toBe(false);
});

it('creates missing or edited files of dist again', () => {
  start();
  rmSync(join(root, 'dist/shared/word.js'));
  expect(start()).toEqual({ printed: 'first 0001.sql', compiled: true });
  write('dist/shared/word.js', "export const word = 'edited';\n");
  expect(start()).toEqual({ printed: 'first 0001.sql', compiled: true });
});

it('copies new assets and removes deleted ones', () => {
  start();
  rmSync(join(root, 'shared/0001.sql'));
  write('shared/0002.sql', 'SELECT 2;\n');
  expect(start()).toEqual({ printed: 'first 0002.sql', compiled: true });
});

it('fails at each build while a source does not compile', () => {
  start();
  write('shared/word.ts', "export const word: string = 'unfinished;\n");
  expect(start).toThrow('build failed');
  expect(start).toThrow('build failed');
  write('shared/word.ts', "export const word: string = 'mended';\n");
  expect(start()).toEqual({ printed: 'mended 0001.sql', compiled: true });
});

it('creates source maps, so stack traces name lines of the sources', () => {
  write('shared/word.ts', "export const word: string = '';\n");
  spawnSync(process.execPath, [script], { cwd: root });
  const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', 'dist/services/main.js'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toContain('services/main.ts:2:');
});

describe('the console', () => {
  const folder = 'services/api/console';
  const built = () =>
    readdirSync(join(root, 'dist', folder), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replace(/-[\w-]{8}\./, '-HASH.'))
      .sort();
  const asset = (ending: string) => {
    const assets = join(root, 'dist', folder, 'assets');
    return join(assets, readdirSync(assets).find((name) => name.endsWith(ending))!);
  };

  beforeEach(() => {
    mkdirSync(join(root, folder, 'public'), { recursive: true });
    write(`${folder}/public/icon.svg`, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    write(`${folder}/tsconfig.json`, '{}');
    write(`${folder}/vite.config.ts`, readFileSync(resolve(folder, 'vite.config.ts'), 'utf8'));
    write(`${folder}/world-shapes.ts`, readFileSync(resolve(folder, 'world-shapes.ts'), 'utf8'));
    write(
      `${folder}/index.html`,
      '<!doctype html><base href="/"><script type="module" src="./main.tsx"></script>',
    );
    write(
      `${folder}/main.tsx`,
      "import './console.css';\nimport { word } from './word.js';\nconsole.log(word, <p />);\n",
    );
    write(`${folder}/word.ts`, "export const word: string = 'shown';\n");
    write(`${folder}/word.test.tsx`, "throw new Error('no part of the program');\n");
    write(`${folder}/console.css`, `${'p { color: red } '.repeat(80)} b { color: blue }\n`);
  });

  it('is built beside the services, and none of its sources becomes a file of the server', () => {
    start();
    expect(built()).toEqual(
      [
        'assets',
        'assets/index-HASH.css',
        'assets/index-HASH.js',
        'assets/index-HASH.js.br',
        'assets/index-HASH.js.gz',
        'icon.svg',
        'index.html',
      ].sort(),
    );
    expect(start().compiled).toBe(false);
  });

  it('has compressed forms of each file that is worth it', () => {
    start();
    const script = readFileSync(asset('.js'));
    expect(brotliDecompressSync(readFileSync(asset('.js.br'))).equals(script)).toBe(true);
    expect(gunzipSync(readFileSync(asset('.js.gz'))).equals(script)).toBe(true);
  });

  it.each([
    ['main.tsx', "console.log('other', <b />);\n"],
    ['console.css', 'p { color: green }\n'],
    ['index.html', '<!doctype html><title>Other</title><script type="module" src="./main.tsx"></script>'],
    ['public/icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>'],
  ])('is built again when %s changes, and leaves no old file', (name, text) => {
    start();
    write(`${folder}/${name}`, text);
    expect(start().compiled).toBe(true);
    const scripts = built().filter((file) => file.endsWith('.js'));
    expect(scripts).toHaveLength(1);
    expect(start().compiled).toBe(false);
  });

  it('goes with its sources', () => {
    start();
    rmSync(join(root, folder), { recursive: true });
    start();
    expect(existsSync(join(root, 'dist', folder, 'index.html'))).toBe(false);
  });

  it('fails the build where it does not compile', () => {
    write(`${folder}/word.ts`, "export const word: string = 'unfinished;\n");
    expect(start).toThrow('console does not build');
  });
});

// `npm run build:executable`: the command line with Node in one file for this platform, in dist/executable/.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { bundleCommandLine, DEMO } from './build-command-line.mjs';

/** Puts a section into a binary. By its path: a checkout without the package still compiles. */
const POSTJECT = join('node_modules', 'postject', 'dist', 'api.js');
/** Node finds the program by these two names (https://nodejs.org/api/single-executable-applications.html). */
const SECTION = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The demo is a part of the server. */
const noDemo = {
  name: 'no-demo',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: DEMO }, ({ path }) => ({ path, namespace: 'no-demo' }));
    build.onLoad({ filter: DEMO, namespace: 'no-demo' }, () => ({
      contents: "throw Object.assign(new Error('no demo'), { code: 'ERR_MODULE_NOT_FOUND' });",
    }));
  },
};

/** @param {string} root folder of package.json @returns {Promise<boolean>} false: not built; the reason is printed */
async function buildExecutable(root) {
  const postject = join(root, POSTJECT);
  if (!existsSync(postject)) {
    process.stderr.write(
      'loglane: the package postject is missing: npm install --no-save postject@1.0.0-alpha.6\n',
    );
    return false;
  }
  if (!(await build(root))) return false;
  const folder = join(root, 'dist', 'executable');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const main = join(folder, 'loglane.cjs');
  const blob = join(folder, 'loglane.blob');
  const settings = join(folder, 'settings.json');
  const executable = join(folder, process.platform === 'win32' ? 'loglane.exe' : 'loglane');

  await bundleCommandLine(root, join(root, 'dist'), { outfile: main, format: 'cjs', plugins: [noDemo] });
  writeFileSync(settings, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true }));
  execFileSync(process.execPath, ['--experimental-sea-config', settings], { stdio: ['ignore', 'ignore', 2] });

  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  // macOS does not start a binary that was changed after it was signed.
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', executable]);
  const { default: api } = await import(pathToFileURL(postject).href);
  await api.inject(executable, SECTION, readFileSync(blob), {
    sentinelFuse: FUSE,
    machoSegmentName: 'NODE_SEA',
  });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', executable]);
  for (const file of [main, blob, settings]) rmSync(file);
  return true;
}

process.exitCode = (await buildExecutable(process.cwd())) ? 0 : 1;

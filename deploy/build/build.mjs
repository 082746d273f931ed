import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { BUNDLED_LICENCES, buildCommandLine, COMMAND_LINE } from './build-command-line.mjs';
import { buildConsole, CONSOLE_FOLDER } from './build-console.mjs';

const SOURCE_FOLDERS = ['services', 'shared', 'deploy', 'docs'];
/** Other files that affect the output. The lock file contains the compiler's version. */
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];
/** Files that are copied, not compiled: SQL, Avro schemas, data files, the engine's settings, the template of PDFs, the guides, the page of a chart. */
const ASSETS = new Set(['.sql', '.avsc', '.json', '.xml', '.typ', '.md', '.html']);
const NOT_COMPILED = /\.test\.tsx?$/;
const STAMP = '.built.json';
/** Below dist/, of the command line. */
const BUNDLE = [COMMAND_LINE, BUNDLED_LICENCES];
/** Below dist/, made by builds of their own. */
const OTHER_BUILDS = ['package', 'executable', 'loglane'];

/**
 * Compiles each source to dist/ separately, without a type check (`npm run lint` checks types), and copies the assets. It does nothing if
 * dist/ is up to date. Sources are compared by content, since a modification time can be older than the text. dist/ is compared by
 * names, sizes and times of its files.
 * @param {string} root folder of package.json
 * @returns {Promise<boolean>} false: a source does not compile; the compiler has printed why
 */
export async function build(root) {
  const dist = join(root, 'dist');
  if (isBuilt(root)) return true;
  const sources = digestOfSources(root);

  process.stderr.write('loglane: compiling the sources; an unchanged tree starts without this\n');
  rmSync(join(dist, STAMP), { force: true });
  // esbuild and Vite work outside the event loop: together they take as long as the slower one.
  const built = await Promise.all([compile(root, dist), buildConsole(root, dist)]);
  if (built.includes(false)) return false;
  copyAssets(root, dist);
  removeOrphans(root, dist);
  if (!(await buildCommandLine(root, dist))) return false;
  // The digest is computed before the compiler runs, so the next build compiles sources that change meanwhile.
  writeFileSync(join(dist, STAMP), JSON.stringify({ sources, output: digestOfOutput(dist) }));
  return true;
}

/** @param {string} root @returns {boolean} whether dist/ is up to date */
export function isBuilt(root) {
  const dist = join(root, 'dist');
  const stamp = readStamp(dist);
  return stamp !== null && stamp.sources === digestOfSources(root) && stamp.output === digestOfOutput(dist);
}

/** @param {string} root @param {string} dist @returns {Promise<boolean>} whether every source compiled; otherwise nothing is written */
async function compile(root, dist) {
  const { build: transform } = await import('esbuild');
  return transform({
    absWorkingDir: root,
    entryPoints: SOURCE_FOLDERS.flatMap((folder) => filesBelow(join(root, folder))).filter(
      (file) => extname(file) === '.ts' && !NOT_COMPILED.test(file) && !isOfConsole(root, file),
    ),
    outbase: root,
    outdir: dist,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  }).then(
    () => true,
    () => false,
  );
}

/** @param {string} dist @returns {{ sources: string, output: string } | null} */
function readStamp(dist) {
  try {
    return JSON.parse(readFileSync(join(dist, STAMP), 'utf8'));
  } catch {
    return null;
  }
}

/** @param {string} root */
function digestOfSources(root) {
  const files = SOURCE_FOLDERS.flatMap((folder) => filesBelow(join(root, folder)))
    .filter((file) => !NOT_COMPILED.test(file))
    .concat(SETTINGS.map((name) => join(root, name)).filter((file) => existsSync(file)));
  const digest = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    digest.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
}

/** @param {string} dist */
function digestOfOutput(dist) {
  const digest = createHash('sha256');
  for (const file of filesBelow(dist)) {
    if (file === join(dist, STAMP) || isOfOtherBuild(dist, file)) continue;
    const { size, mtimeMs } = statSync(file);
    digest.update(`${relative(dist, file)}\0${size}\0${mtimeMs}\0`);
  }
  return digest.digest('hex');
}

/** @param {string} root @param {string} dist */
function copyAssets(root, dist) {
  for (const folder of SOURCE_FOLDERS) {
    if (!existsSync(join(root, folder))) continue;
    cpSync(join(root, folder), join(dist, folder), {
      recursive: true,
      filter: (source) =>
        statSync(source).isDirectory()
          ? relative(root, source) !== CONSOLE_FOLDER
          : ASSETS.has(extname(source)) && !NOT_COMPILED.test(source),
    });
  }
}

/** Browsers run its files; Vite builds them and removes old ones. @param {string} root @param {string} file in root */
function isOfConsole(root, file) {
  return relative(root, file).startsWith(CONSOLE_FOLDER + sep);
}

/** Removes what a source that is gone has left: a deleted migration would still be applied. */
function removeOrphans(root, dist) {
  const hasConsole = existsSync(join(root, CONSOLE_FOLDER));
  for (const file of filesBelow(dist)) {
    const name = relative(dist, file);
    if ((hasConsole && isOfConsole(dist, file)) || BUNDLE.includes(name)) continue;
    if (isOfOtherBuild(dist, file)) continue;
    const source = join(root, name.replace(/\.js(\.map)?$/, '.ts'));
    if (!existsSync(source)) rmSync(file);
  }
}

/** @param {string} dist @param {string} file */
function isOfOtherBuild(dist, file) {
  return OTHER_BUILDS.includes(relative(dist, file).split(sep)[0] ?? '');
}

/** Every file below the folder, in a fixed order. @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
}

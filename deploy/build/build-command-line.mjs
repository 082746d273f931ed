import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundledLicences } from './bundled-licences.mjs';

/** The command line, below dist/: one file, the `bin` of package.json. */
export const COMMAND_LINE = join('deploy', 'cli', 'loglane.mjs');
/** Below dist/: the licences of the packages in that file. */
export const BUNDLED_LICENCES = join('deploy', 'cli', 'LICENSES-BUNDLED.txt');
const MAIN = join('deploy', 'cli', 'main.ts');
const LARGEST_TABLE_BYTES = 16 * 1024 ** 2;

/** Prints the table of operations, from the compiled sources. A process of its own: modules of an earlier build must not answer. */
const PRINT_OPERATIONS = `
const { operations } = await import('./services/api/operations/all-operations.js');
const { describeApi } = await import('./services/api/docs/openapi.js');
const { packDocument } = await import('./deploy/cli/table/pack-document.js');
const urls = { base: 'https://api.example', ingest: 'https://ingest.example/v1/logs' };
process.stdout.write(JSON.stringify(packDocument(JSON.parse(JSON.stringify(describeApi(operations, urls))))));
`;

/**
 * Bundles the command line with the table of operations into one file that needs no other package, and writes the licences of its packages.
 * @param {string} root folder of package.json
 * @param {string} dist
 * @returns {Promise<boolean>} false: it does not build; the reason is printed
 */
export async function buildCommandLine(root, dist) {
  const outfile = join(dist, COMMAND_LINE);
  if (!existsSync(join(root, MAIN))) {
    for (const file of [outfile, join(dist, BUNDLED_LICENCES)]) rmSync(file, { force: true });
    return true;
  }
  try {
    const { metafile } = await bundleCommandLine(root, dist, {
      outfile,
      format: 'esm',
      // Packages in the form of CommonJS call require.
      banner: {
        js: "#!/usr/bin/env node\nimport { createRequire as loglaneRequire } from 'node:module';const require = loglaneRequire(import.meta.url);",
      },
      plugins: [demoBeside],
    });
    writeFileSync(join(dist, BUNDLED_LICENCES), bundledLicences(root, metafile));
    chmodSync(outfile, 0o755);
    return true;
  } catch (error) {
    process.stderr.write(
      `loglane: the command line does not build: ${error instanceof Error ? error.message : error}\n`,
    );
    return false;
  }
}

/**
 * @param {string} root
 * @param {string} dist the compiled sources
 * @param {import('esbuild').BuildOptions} options of the form of the file
 * @returns {Promise<{ metafile: import('esbuild').Metafile }>} the bundled files
 * @throws {Error} if a source does not compile
 */
export async function bundleCommandLine(root, dist, options) {
  const { build } = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { stdout: table } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', PRINT_OPERATIONS],
    { cwd: dist, maxBuffer: LARGEST_TABLE_BYTES },
  );
  return build({
    absWorkingDir: root,
    entryPoints: [MAIN],
    bundle: true,
    metafile: true,
    minify: true,
    // Stack traces keep the names of functions.
    keepNames: true,
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'warning',
    define: { LOGLANE_OPERATIONS: table, LOGLANE_VERSION: JSON.stringify(version) },
    ...options,
  });
}

/** The path by which the command line loads the demo. */
export const DEMO = /\/demo\/run-demo\.js$/;

/** The demo uses the server's engines and data files, so it is loaded from the server's own files. */
const demoBeside = {
  name: 'demo-beside',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: DEMO }, () => ({
      path: '../demo/run-demo.js',
      external: true,
    }));
  },
};

// `npm run build:package`: the npm package of the command line and the client, in dist/package/ or in the new folder that is given.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';
import typescript from 'typescript';
import { build } from './build.mjs';
import { BUNDLED_LICENCES, COMMAND_LINE } from './build-command-line.mjs';

const TEMPLATE = join('deploy', 'cli', 'package');
const LARGEST_DOCUMENT_BYTES = 16 * 1024 ** 2;

/** Prints the document, from the compiled sources. */
const PRINT_DOCUMENT = `
const { operations } = await import('./services/api/operations/all-operations.js');
const { describeApi } = await import('./services/api/docs/openapi.js');
const urls = { base: 'https://api.example', ingest: 'https://ingest.example/v1/logs' };
process.stdout.write(JSON.stringify(describeApi(operations, urls)));
`;

/** Binds the client to the generated types. */
const INDEX = `import type { Client, ClientOptions } from './client.js';
import type { paths } from './api.js';
export { ApiError } from './client.js';
export type { CallOptions, ClientOptions } from './client.js';
export type { components, operations, paths } from './api.js';
export type LoglaneClient = Client<paths>;
export declare function createClient(options: ClientOptions): LoglaneClient;
`;

/** @param {string} root folder of package.json @param {string} folder new @returns {Promise<boolean>} false: the sources do not compile */
async function buildPackage(root, folder) {
  if (!(await build(root))) return false;
  mkdirSync(folder);
  const { stdout: document } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', PRINT_DOCUMENT],
    { cwd: join(root, 'dist'), maxBuffer: LARGEST_DOCUMENT_BYTES },
  );
  const client = readFileSync(join(root, TEMPLATE, 'client.ts'), 'utf8');
  const { code } = await transform(client, { loader: 'ts', target: 'node20', format: 'esm' });
  const { outputText } = typescript.transpileDeclaration(client, {
    compilerOptions: { target: typescript.ScriptTarget.ES2022 },
  });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = { ...JSON.parse(readFileSync(join(root, TEMPLATE, 'package.json'), 'utf8')), version };
  const files = {
    'api.d.ts': astToString(await openapiTS(JSON.parse(document))),
    'client.js': code,
    'client.d.ts': outputText,
    'index.d.ts': INDEX,
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const name of [COMMAND_LINE, BUNDLED_LICENCES])
    copyFileSync(join(root, 'dist', name), join(folder, basename(name)));
  copyFileSync(join(root, TEMPLATE, 'README.md'), join(folder, 'README.md'));
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(folder, name));
  return true;
}

const root = process.cwd();
const usual = join(root, 'dist', 'package');
const folder = process.argv[2] === undefined ? usual : resolve(process.argv[2]);
if (folder === usual) rmSync(folder, { recursive: true, force: true });
process.exitCode = (await buildPackage(root, folder)) ? 0 : 1;

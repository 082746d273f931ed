import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The console's sources, below the root; its built files are in the same folder below dist/. */
export const CONSOLE_FOLDER = join('services', 'api', 'console');
/** Below this size compression saves less than a packet. */
const WORTH_COMPRESSING_BYTES = 1_024;

/**
 * Builds the console with Vite into static files, and writes each file of at least 1 KiB in Brotli and gzip too.
 * @param {string} root folder of package.json
 * @param {string} dist
 * @returns {Promise<boolean>} false: the console does not build; the reason is printed
 */
export async function buildConsole(root, dist) {
  const configFile = join(root, CONSOLE_FOLDER, 'vite.config.ts');
  if (!existsSync(configFile)) return true;
  const outDir = join(dist, CONSOLE_FOLDER);
  try {
    const { build } = await import('vite');
    await build({ configFile, build: { outDir } });
  } catch (error) {
    process.stderr.write(
      `loglane: the console does not build: ${error instanceof Error ? error.message : error}\n`,
    );
    return false;
  }
  await Promise.all(builtFiles(outDir).map(compress));
  return true;
}

/** @param {string} folder @returns {string[]} */
function builtFiles(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @param {string} file */
async function compress(file) {
  const plain = readFileSync(file);
  if (plain.length < WORTH_COMPRESSING_BYTES) return;
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, zipped);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of packages whose code is in a bundle. Their terms require them with every copy. */

const PACKAGE = /^(?:.*[\\/])?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;
/** Also LICENSE.MIT and the like. */
const LICENCE = /^(?:licen[cs]e|copying|notice)\b/i;

/**
 * @param {string} root folder to which the paths of the inputs are relative
 * @param {import('esbuild').Metafile} metafile of a build with one output
 * @returns {string[]} folders of the packages, by name
 */
function bundledPackages(root, metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => input.match(PACKAGE)?.[0] ?? [])
    .map((folder) => join(root, folder));
  return [...new Set(folders)].sort();
}

/**
 * @param {string} root @param {import('esbuild').Metafile} metafile
 * @returns {string} a section for each package
 * @throws Error if a package has no text of its licence
 */
export function bundledLicences(root, metafile) {
  const sections = bundledPackages(root, metafile).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => LICENCE.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    if (texts.length === 0) throw new Error(`the package ${name} has no text of its licence`);
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
  });
  return `loglane.mjs contains these packages.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

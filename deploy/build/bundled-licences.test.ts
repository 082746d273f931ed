import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundledLicences } from './bundled-licences.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loglane-licences-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A package with one function, which imports others. */
function writePackage(
  folder: string,
  name: string,
  { imports = [] as string[], licence = `Terms of ${name}` },
) {
  write(`${folder}/package.json`, JSON.stringify({ name, version: '1.0.0', license: 'MIT', type: 'module' }));
  const lines = imports.map((other, index) => `import f${index} from '${other}';\nf${index}();`);
  write(`${folder}/index.js`, `${lines.join('\n')}\nexport default () => console.log('${name}');`);
  if (licence !== '') write(`${folder}/LICENCE.md`, licence);
}

async function licencesOfBundle(): Promise<string> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['main.js'],
    bundle: true,
    metafile: true,
    write: false,
    format: 'esm',
  });
  return bundledLicences(root, metafile);
}

it('lists each package whose code is in the bundle once, also scoped and nested ones', async () => {
  writePackage('node_modules/@scope/one', '@scope/one', { imports: ['inner'] });
  writePackage('node_modules/@scope/one/node_modules/inner', 'inner', {});
  writePackage('node_modules/unused', 'unused', {});
  write('main.js', "import one from '@scope/one'; one();");
  const text = await licencesOfBundle();
  expect([...text.matchAll(/^Terms of (.*)$/gm)].map(([, name]) => name)).toEqual(['@scope/one', 'inner']);
  expect(text).toContain('@scope/one 1.0.0 (MIT)');
});

it('refuses a bundle with a package that has no text of its licence', async () => {
  writePackage('node_modules/bare', 'bare', { licence: '' });
  write('main.js', "import bare from 'bare'; bare();");
  await expect(licencesOfBundle()).rejects.toThrow('the package bare has no text of its licence');
});

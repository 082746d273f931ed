import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

// Without a supported compiler, dependency-cruiser sees no imports in TypeScript files and reports no violation. It supports TypeScript
// up to 6; version 7 has another name in package.json.
test('the import rules see imports of values and of types', { timeout: 60_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'loglane-imports-'));
  const write = (name: string, text: string) => {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  try {
    for (const name of ['tsconfig.json', 'package.json']) copyFileSync(name, join(root, name));
    write('services/one/main.ts', 'export const value = 1;\nexport type Value = number;\n');
    write('services/two/main.ts', "import { value } from '../one/main.js';\nconsole.log(value);\n");
    write(
      'services/three/main.ts',
      "import type { Value } from '../one/main.js';\nexport type Other = Value;\n",
    );
    const { stdout } = spawnSync(
      process.execPath,
      [
        resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        '--config',
        resolve('.dependency-cruiser.cjs'),
        'services',
      ],
      { cwd: root, encoding: 'utf8' },
    );
    expect(stdout).toContain('services/two/main.ts → services/one/main.ts');
    expect(stdout).toContain('services/three/main.ts → services/one/main.ts');
  } finally {
    rmSync(root, { recursive: true });
  }
});

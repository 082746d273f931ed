import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The programs that `npm ci` runs on a user's machine. */

/** Installs a package whose install script writes a file. @returns whether the script ran. */
function installRunsScripts({ withOurSettings }: { withOurSettings: boolean }): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'loglane-install-'));
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  try {
    mkdirSync(join(folder, 'reporter'));
    const postinstall = `node -e "require('fs').writeFileSync(process.env.INIT_CWD + '/ran', '')"`;
    write('reporter/package.json', { name: 'reporter', version: '1.0.0', scripts: { postinstall } });
    write('package.json', {
      name: 'project',
      version: '1.0.0',
      dependencies: { reporter: 'file:reporter' },
    });
    if (withOurSettings) copyFileSync('.npmrc', join(folder, '.npmrc'));
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      env,
      stdio: 'ignore',
    });
    return existsSync(join(folder, 'ran'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('no dependency runs a program during the installation, in particular no telemetry', {
  timeout: 60_000,
}, () => {
  expect(installRunsScripts({ withOurSettings: true })).toBe(false);
  // Without our settings the script runs, so the test would notice it.
  expect(installRunsScripts({ withOurSettings: false })).toBe(true);
});

test('each package with an install script is refused by name, so that npm has no warnings', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { hasInstallScript?: true }>;
  };
  const named = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(named.length).toBeGreaterThan(0);
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(allowScripts).toEqual(Object.fromEntries(named.map((name) => [name, false])));
});

test('telemetry stays off, even if a user enables install scripts', () => {
  const { scarfSettings } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scarfSettings).toEqual({ enabled: false });
});

test('the image installs with the same settings', () => {
  const installs = readFileSync('deploy/docker/Dockerfile', 'utf8').match(/npm ci[^\n]*/g) ?? [];
  expect(installs.length).toBeGreaterThan(0);
  expect(installs.filter((command) => !command.includes('--ignore-scripts'))).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  integrity?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

// A registry that mirrors only one platform makes `npm install` drop the others' binaries from the lock file, and
// `npm ci` then refuses the whole file on every machine.
test('the lock file has the binaries of every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !packages[`node_modules/${name}`]?.version && !packages[`${path}/node_modules/${name}`]?.version,
    ),
  );
  expect(missing).toEqual([]);
});

/**
 * Binaries of other platforms than the one that the lock file was written on: its registry did not have them, so their
 * hashes could not be known. `npm install --package-lock-only` against the public registry fills them in; the list only shrinks.
 */
const WITHOUT_INTEGRITY = [
  '@biomejs/cli-android-arm64',
  '@biomejs/cli-android-x64',
  '@biomejs/cli-darwin-arm64',
  '@biomejs/cli-darwin-x64',
  '@biomejs/cli-linux-arm64-musl',
  '@biomejs/cli-linux-x64-musl',
  '@biomejs/cli-win32-arm64',
  '@biomejs/cli-win32-x64',
  '@chdb/lib-darwin-arm64',
  '@chdb/lib-darwin-x64',
  '@chdb/lib-linux-arm64-gnu',
  '@msgpackr-extract/msgpackr-extract-darwin-arm64',
  '@msgpackr-extract/msgpackr-extract-darwin-x64',
  '@msgpackr-extract/msgpackr-extract-linux-arm',
  '@msgpackr-extract/msgpackr-extract-win32-x64',
  '@myriaddreamin/typst-ts-node-compiler-android-arm-eabi',
  '@myriaddreamin/typst-ts-node-compiler-android-arm64',
  '@myriaddreamin/typst-ts-node-compiler-darwin-arm64',
  '@myriaddreamin/typst-ts-node-compiler-darwin-x64',
  '@myriaddreamin/typst-ts-node-compiler-linux-arm-gnueabihf',
  '@myriaddreamin/typst-ts-node-compiler-linux-arm64-gnu',
  '@myriaddreamin/typst-ts-node-compiler-linux-arm64-musl',
  '@myriaddreamin/typst-ts-node-compiler-win32-arm64-msvc',
  '@myriaddreamin/typst-ts-node-compiler-win32-x64-msvc',
];

test('every package of the lock file is held to its content by a hash, but for binaries named here', () => {
  const bare = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== '' && !/^sha512-/.test(integrity ?? ''),
  );
  expect(bare.map(([path]) => path.replace(/^node_modules\//, '')).sort()).toEqual(WITHOUT_INTEGRITY);
  expect(bare.filter(([, { optional }]) => !optional)).toEqual([]);
});

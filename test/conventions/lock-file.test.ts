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

// With a registry that mirrors only one platform, `npm install` drops the binaries of the others from the lock file. Then `npm ci`
// refuses the file on every machine.
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
 * Binaries of other platforms. The registry at the time of writing did not have them, so their hashes are unknown.
 * `npm install --package-lock-only` with the public registry adds them; this list must only shrink.
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

test('every package of the lock file has a hash, except the binaries named here', () => {
  const bare = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== '' && !/^sha512-/.test(integrity ?? ''),
  );
  expect(bare.map(([path]) => path.replace(/^node_modules\//, '')).sort()).toEqual(WITHOUT_INTEGRITY);
  expect(bare.filter(([, { optional }]) => !optional)).toEqual([]);
});

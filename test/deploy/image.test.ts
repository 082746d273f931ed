import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSafeRelease } from '../../shared/service/node-release.js';
import { isPinned } from './pod-checks.js';

const dockerfile = readFileSync('deploy/docker/Dockerfile', 'utf8');
/** Stages by name, with their instructions. */
const stages = dockerfile.split(/^(?=FROM )/m).slice(1);

test('the base is pinned by its digest, and is a safe release', () => {
  const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)!;
  expect(isPinned(base!)).toBe(true);
  expect(isSafeRelease(/^node:([\d.]+)/.exec(base!)![1]!)).toBe(true);
  expect(stages.map((stage) => stage.split(/\s/)[1])).not.toContain(base);
});

test('no image contains source maps: each stage whose packages or program are copied deletes them', () => {
  const given = new Set([...dockerfile.matchAll(/COPY --from=([\w-]+)/g)].map(([, name]) => name));
  const keep = stages.filter(
    (stage) => given.has(/ AS ([\w-]+)/.exec(stage)?.[1]) && !stage.includes("-name '*.map' -delete"),
  );
  expect(given.size).toBeGreaterThan(2);
  expect(keep).toEqual([]);
});

test('no image has packages that only the build uses', () => {
  const removed = /^ENV BUILD_PACKAGES="(.*)"$/m.exec(dockerfile)![1]!.split(' ');
  const isRemoved = (name: string) => removed.includes(name) || removed.includes(name.split('/')[0]!);
  const uses = ['services', 'shared', 'deploy']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => /\.(m?ts|mjs|tsx|css)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => packagesOf(file).map((name) => ({ file, name })));
  const ofBuild = (file: string) => /^(services\/api\/console|deploy\/build)\//.test(file);
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const usedWhere = (name: string) => uses.filter((use) => use.name === name).map(({ file }) => file);
  const buildOnly = Object.keys(dependencies).filter((name) => {
    const files = usedWhere(name);
    return files.length > 0 && files.every(ofBuild);
  });
  expect(buildOnly).toContain('preact');
  expect(buildOnly.filter((name) => !isRemoved(name))).toEqual([]);
  const needed = Object.keys(dependencies).filter((name) => usedWhere(name).some((file) => !ofBuild(file)));
  expect(needed.filter(isRemoved)).toEqual([]);
  expect(
    stages.filter(
      (stage) => stage.includes('rm -rf $BUILD_PACKAGES') || stage.includes('lmdb $BUILD_PACKAGES'),
    ),
  ).toHaveLength(2);
});

/** Names of the packages that a file imports values from. */
function packagesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^import type [^;]*;/gm, '');
  return [...text.matchAll(/(?:from|import\(?)\s*'((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/g)].map(
    ([, name]) => name!,
  );
}

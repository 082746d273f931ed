import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSafeRelease } from '../../shared/service/node-release.js';
import { isPinned } from './pod-checks.js';

const dockerfile = readFileSync('deploy/docker/Dockerfile', 'utf8');
/** Stages by name, with what each does. */
const stages = dockerfile.split(/^(?=FROM )/m).slice(1);

test('the base is pinned by its digest, and of a safe release', () => {
  const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)!;
  expect(isPinned(base!)).toBe(true);
  expect(isSafeRelease(/^node:([\d.]+)/.exec(base!)![1]!)).toBe(true);
  expect(stages.map((stage) => stage.split(/\s/)[1])).not.toContain(base);
});

test('no image holds source maps: each stage that gives packages or the program to another deletes them', () => {
  const given = new Set([...dockerfile.matchAll(/COPY --from=([\w-]+)/g)].map(([, name]) => name));
  const keep = stages.filter(
    (stage) => given.has(/ AS ([\w-]+)/.exec(stage)?.[1]) && !stage.includes("-name '*.map' -delete"),
  );
  expect(given.size).toBeGreaterThan(2);
  expect(keep).toEqual([]);
});

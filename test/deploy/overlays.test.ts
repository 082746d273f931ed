import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as cross from './cross-checks.js';
import { nameOf } from './document.js';
import * as pods from './pod-checks.js';
import { build, findKustomize, render } from './render.js';

const ROOT = 'deploy/kubernetes';
const kustomize = findKustomize();

describe('an apply after a changed setting', () => {
  const change = (folder: string) => {
    const copy = mkdtempSync(join(tmpdir(), 'loglane-manifests-'));
    cpSync(ROOT, copy, { recursive: true });
    appendFileSync(
      join(copy, folder, 'settings.env'),
      '\nLOG_LEVEL=debug\nCLICKHOUSE_MAX_MEMORY_BYTES=1000000\n',
    );
    const changed = {
      ours: render(join(copy, folder)),
      kustomizes: kustomize && build(kustomize, join(copy, folder)),
    };
    rmSync(copy, { recursive: true });
    return changed;
  };

  test.each(['overlays/small', 'overlays/production'])(
    '%s: leaves the Job as it is and rolls the services',
    (folder) => {
      const before = {
        ours: render(`${ROOT}/${folder}`),
        kustomizes: kustomize && build(kustomize, `${ROOT}/${folder}`),
      };
      const after = change(folder);
      for (const by of ['ours', 'kustomizes'] as const) {
        const [old, next] = [before[by], after[by]];
        if (!old || !next) continue;
        expect(cross.ofKind(next, 'Job')).toEqual(cross.ofKind(old, 'Job'));
        for (const deployment of cross.services(old)) {
          const rolled = next.find((each) => nameOf(each) === nameOf(deployment));
          expect(rolled?.spec.template).not.toEqual(deployment.spec.template);
        }
      }
    },
  );
});

test('small fits two CPUs and six and three quarter gibibytes, one migration included', () => {
  const { cpus, gibibytes } = pods.requestsOf(render(`${ROOT}/overlays/small`));
  expect(cpus).toBeLessThanOrEqual(2);
  expect(gibibytes).toBeLessThanOrEqual(6.75);
});

test('only the kustomizations name the namespace', () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(ya?ml|env|xml)$/.test(file),
  );
  const named = files.filter(
    (file) =>
      !/(kustomization|namespace)\.yaml$/.test(file) &&
      /loglane\.svc|^\s*namespace: /m.test(readFileSync(join(ROOT, file), 'utf8').replace(/#.*/g, '')),
  );
  expect(named).toEqual([]);
});

test('the small overlay lets ClickHouse connect to a bucket, but to nothing in the cluster', () => {
  const [rule] = render(`${ROOT}/overlays/small`).find(
    ({ metadata }) => metadata.name === 'clickhouse-backup',
  )!.spec.egress;
  expect(rule.ports).toEqual([{ port: 443, protocol: 'TCP' }]);
  expect(rule.to[0].ipBlock.except).toContain('10.0.0.0/8');
});

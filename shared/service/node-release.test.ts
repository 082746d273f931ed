import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSafeRelease, safeReleases } from './node-release.js';

test.each(['20.20.2', '20.21.0', '22.22.2', '22.23.0', '24.14.1', '25.8.2', '25.10.0', '26.0.0', '30.1.0'])(
  'Node %s looks up external texts in linear time',
  (version) => expect(isSafeRelease(version)).toBe(true),
);

test.each([
  '18.20.8',
  '20.18.1',
  '20.20.1',
  '21.7.3',
  '22.20.0',
  '22.22.1',
  '23.11.1',
  '24.14.0',
  '25.8.1',
  '',
])('Node %s does not', (version) => expect(isSafeRelease(version)).toBe(false));

test('the package asks for a safe release', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(engines.node).toBe(safeReleases);
});

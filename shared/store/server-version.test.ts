import { expect, test } from 'vitest';
import { versionProblem } from './server-version.js';

test.each(['24.7.9.9', '23.12.1.1', '24.3.18.7', '9.1'])('%s is refused', (version) => {
  expect(versionProblem(version)).toMatchObject({ loses: true, detail: expect.stringContaining(version) });
});

test.each([
  '24.8.1.2684',
  '24.8.14.10545.altinitystable',
  '25.4.1.37083',
  '26.4.9.1',
  '26.5.7.20',
  '26.7.3.9',
  '26.8.1.1',
  '27.1.1.1',
])('%s is accepted', (version) => expect(versionProblem(version)).toBeNull());

test.each(['26.5.7.19', '26.6.1.1', '26.7.2.1', 'head'])('%s causes a warning', (version) => {
  expect(versionProblem(version)).toMatchObject({ loses: false });
});

import { expect, it } from 'vitest';
import { alertTypeNames } from '../../../shared/alerts/alert.js';
import { rules } from './all-rules.js';

it('has one rule for each type of alert, except for those of nightly checks', () => {
  const types = rules.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  expect([...types, 'check_failed'].sort()).toEqual([...alertTypeNames].sort());
});

it('runs causes before their effects, so that both in one window are one incident', () => {
  const order = rules.map(({ type }) => type);
  for (const { type, inhibitedBy } of rules) {
    for (const cause of inhibitedBy) {
      expect(order.indexOf(cause), `${cause} before ${type}`).toBeLessThan(order.indexOf(type));
    }
  }
});

it('needs no more windows than each rule uses', () => {
  for (const { persistence } of rules) expect(persistence.least).toBeLessThanOrEqual(persistence.of);
});

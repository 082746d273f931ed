import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingIntervals } from '../../../../shared/control/domain/payment-processor.js';
import { planIds } from '../../../../shared/control/domain/plans.js';
import { lookupKey, parseLookupKey } from './prices.js';

test('lookup keys have the form in docs/billing.md', () => {
  expect(lookupKey('starter', 'yearly')).toBe('loglane_starter_yearly');
});

test('a lookup key is parsed into its parts', () => {
  const intervals = fc.constantFrom(...billingIntervals);
  // Also ids that contain the separator.
  const ids = fc.oneof(fc.constantFrom(...planIds), fc.stringMatching(/^[a-z]+(_monthly|_yearly|_\w+)?$/));
  fc.assert(
    fc.property(ids, intervals, (planId, interval) => {
      expect(parseLookupKey(lookupKey(planId, interval))).toEqual({ planId, interval });
    }),
  );
});

test.each([
  null,
  '',
  'loglane_starter',
  'loglane_starter_weekly',
  'loglane__monthly',
  'my_loglane_starter_monthly',
])('%s is no key of ours', (key) => {
  expect(parseLookupKey(key)).toBeUndefined();
});

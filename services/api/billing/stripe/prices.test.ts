import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingIntervals } from '../../../../shared/control/domain/payment-processor.js';
import { planIds } from '../../../../shared/control/domain/plans.js';
import { lookupKey, parseLookupKey } from './prices.js';

test('a lookup key is what docs/billing.md tells the operator to write', () => {
  expect(lookupKey('starter', 'yearly')).toBe('loglane_starter_yearly');
});

test('a lookup key says again what it was made of', () => {
  const intervals = fc.constantFrom(...billingIntervals);
  // Ids that hold what separates, too.
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

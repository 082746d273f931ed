import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lookupKey } from '../../services/api/billing/stripe/prices.js';
import { webhookEvents } from '../../services/api/billing/stripe/webhook.js';
import { billingIntervals } from '../../shared/control/domain/payment-processor.js';
import { isPurchasable, plans } from '../../shared/control/domain/plans.js';

const named = (pattern: RegExp) =>
  [...readFileSync('docs/billing.md', 'utf8').matchAll(pattern)].map(([, name]) => name).sort();

test('billing.md lists exactly the prices of the sold plans', () => {
  const sold = plans.filter(isPurchasable).flatMap(({ id }) => billingIntervals.map((i) => lookupKey(id, i)));
  expect(named(/`(loglane_\w+)`/g)).toEqual(sold.sort());
});

test('billing.md lists exactly the supported webhook events', () => {
  expect(named(/`((?:checkout|customer|payment_method)\.[\w.]+)`/g)).toEqual([...webhookEvents].sort());
});

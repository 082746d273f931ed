import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import type { Delivery } from '../../../shared/reads/notifications/notification-deliveries.js';
import { NOON } from '../../../test/harness/jobs/alert.js';
import { afterAttempt } from './after-attempt.js';

const pending: Delivery = {
  id: 'd',
  websiteId: 'web_1',
  organisationId: 'org_1',
  channel: 'webhook',
  target: 'hook.example#1',
  alertId: 'a',
  content: '{}',
  status: 'pending',
  attempts: 0,
  reason: '',
  queuedAt: NOON,
  nextAttemptAt: NOON,
  revision: 0,
};

test('a failed delivery is retried with waits that double up to four hours; after a day it is dead with its reason', () => {
  const waits: number[] = [];
  let delivery = pending;
  while (delivery.status === 'pending') {
    const now = delivery.nextAttemptAt;
    delivery = afterAttempt(delivery, { status: 'failed', reason: 'it answered 500' }, now);
    if (delivery.status === 'pending') waits.push(delivery.nextAttemptAt - now);
    expect(delivery.nextAttemptAt).toBeLessThanOrEqual(NOON + DAY_MS);
  }
  expect(waits.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000]);
  expect(Math.max(...waits)).toBe(4 * HOUR_MS);
  expect(delivery.nextAttemptAt).toBeGreaterThan(NOON + DAY_MS - 4 * HOUR_MS);
  expect(delivery).toMatchObject({ status: 'dead', reason: 'it answered 500', content: '{}' });
  expect(delivery.revision).toBe(delivery.attempts);
});

test('an undeliverable message is dead at once; a dropped or sent one is stored without its content', () => {
  expect(afterAttempt(pending, { status: 'dead', reason: 'gone' }, NOON)).toMatchObject({
    status: 'dead',
    content: '{}',
    revision: 1,
  });
  expect(afterAttempt(pending, { status: 'dropped', reason: 'off' }, NOON)).toMatchObject({
    status: 'dropped',
    content: '',
  });
  expect(afterAttempt(pending, { status: 'sent' }, NOON)).toMatchObject({
    status: 'sent',
    content: '',
    attempts: 1,
  });
});

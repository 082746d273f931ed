import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { type Alert, WORSE_THAN } from '../../../shared/alerts/alert.js';
import { alertRecord } from '../../../shared/alerts/alert-codec.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { NewDelivery } from '../../../shared/reads/notifications/notification-deliveries.js';
import { alertWith, audienceWith, NOON, toMessageAlert } from '../../../test/harness/jobs/alert.js';
import { createDeliveryQueuer } from './queue-deliveries.js';

const first = alertWith();
const later = (hours: number, details: Alert['details'] = {}) =>
  alertWith({ createdAt: NOON + hours * HOUR_MS, details });

/** A queuer with its own memory, for one webhook. @param stored rows of the table of alerts */
function openQueuer(stored: readonly Alert[]) {
  const queued: NewDelivery[] = [];
  const queuer = createDeliveryQueuer({
    audienceOf: () => audienceWith({ email_notifications_enabled: false }),
    readTraces: async () => stored.map(toMessageAlert),
    readQueued: async () => [],
    queue: async (deliveries) => void queued.push(...deliveries),
    now: () => NOON + 5 * HOUR_MS,
    logger: pino({ level: 'silent' }),
  });
  const take = (...alerts: readonly Alert[]) =>
    queuer.queueMessages(
      queuer.openAlerts(
        alerts.map((alert, offset) => ({ ...alertRecord(alert), partition: 0, offset, appendedAt: NOON })),
      ),
    );
  return { take, queuedIds: () => queued.map(({ alertId }) => alertId) };
}

describe('an incident that goes on', () => {
  test('sends its first alert and no other one', async () => {
    const stored = [first, later(1), later(3)];
    const { take, queuedIds } = openQueuer(stored);
    await take(...stored);
    expect(queuedIds()).toEqual([first.alertId]);
  });

  test('sends another message when it is much worse, once, and none for repeats', async () => {
    const worse = later(2, { [WORSE_THAN]: first.alertId });
    const repeat = { ...worse, occurrences: 2, lastSeen: worse.lastSeen + 5 * MINUTE_MS };
    const { take, queuedIds } = openQueuer([first, worse, later(3)]);
    await take(first);
    await take(worse);
    await take(repeat, later(3));
    expect(queuedIds()).toEqual([first.alertId, worse.alertId]);
  });

  test('sends the same messages, by the same ids, when its records are taken again', async () => {
    const worse = later(2, { [WORSE_THAN]: first.alertId });
    const queuers = [openQueuer([first, worse]), openQueuer([first, worse])];
    for (const { take } of queuers) await take(first, worse);
    expect(queuers[1]!.queuedIds()).toEqual(queuers[0]!.queuedIds());
    expect(queuers[0]!.queuedIds()).toHaveLength(2);
  });
});

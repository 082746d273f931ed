import { describe, expect, test } from 'vitest';
import { deliveryIdOf } from '../../../../shared/reads/notifications/notification-deliveries.js';
import { alertWith, audienceWith } from '../../../../test/harness/jobs/alert.js';
import { alertDeliveries, digestDeliveries, targetOfUrl, targetsOf } from './make-deliveries.js';

const alert = alertWith();
const channelsOf = (...given: Parameters<typeof audienceWith>) =>
  targetsOf(alert, audienceWith(...given)).map(({ channel }) => channel);

describe('an alert goes', () => {
  test('to every user of the organisation and to each webhook, once', () => {
    const webhook_urls = ['https://a.example/1', 'https://a.example/1', 'https://a.example/2'];
    const targets = targetsOf(alert, audienceWith({ webhook_urls }));
    expect(targets).toEqual([
      { channel: 'email', target: 'usr_1' },
      { channel: 'email', target: 'usr_2' },
      { channel: 'webhook', target: targetOfUrl('https://a.example/1') },
      { channel: 'webhook', target: targetOfUrl('https://a.example/2') },
    ]);
    const ids = alertDeliveries({ alert }, audienceWith({ webhook_urls })).map(deliveryIdOf);
    expect(new Set(ids).size).toBe(4);
  });

  test.each([
    ['everything is off', { alerts_enabled: false }, []],
    ['e-mail is off', { email_notifications_enabled: false }, ['webhook']],
    ['webhooks are off', { webhook_notifications_enabled: false }, ['email', 'email']],
    ['it is less severe than e-mails are to be', { min_email_severity: 3 }, ['webhook']],
    ['it is as severe as e-mails are to be', { min_email_severity: 2 }, ['email', 'email', 'webhook']],
    ['its type is not mailed', { email_disabled_types: ['error_spike_5xx' as const] }, ['webhook']],
    [
      'another type is not mailed',
      { email_disabled_types: ['new_bot' as const] },
      ['email', 'email', 'webhook'],
    ],
    ['there is no webhook', { webhook_urls: [] }, ['email', 'email']],
  ])('by the settings, where %s', (_, settings, channels) => {
    expect(channelsOf(settings)).toEqual(channels);
  });

  test('by webhook alone if this installation sends no e-mail or the organisation has no users', () => {
    expect(channelsOf({}, { canMail: false })).toEqual(['webhook']);
    expect(channelsOf({}, { userIds: [] })).toEqual(['webhook']);
  });
});

test('the stored target of a webhook has its host, but neither path nor query, which may be secrets', () => {
  const deliveries = alertDeliveries({ alert }, audienceWith());
  expect(JSON.stringify(deliveries)).not.toContain('token');
  expect(deliveries.at(-1)!.target).toMatch(/^hook\.example#[0-9a-f]{12}$/);
});

test('a digest is one message per user and day, even if its content differs', () => {
  const content = { from: 0, to: 1, incidents: [], more: 0 };
  const [one] = digestDeliveries(content, '2026-11-22', audienceWith());
  const [other] = digestDeliveries({ ...content, more: 3 }, '2026-11-22', audienceWith());
  const [next] = digestDeliveries(content, '2026-11-23', audienceWith());
  expect(deliveryIdOf(other!)).toBe(deliveryIdOf(one!));
  expect(deliveryIdOf(next!)).not.toBe(deliveryIdOf(one!));
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alertTypeNames, rankOf, severities } from '../../../../shared/alerts/alert.js';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import type { NewDelivery } from '../../../../shared/reads/notifications/notification-deliveries.js';
import { audienceWith, importedAlert, NOON, toMessageAlert } from '../../../../test/harness/jobs/alert.js';
import { importEmail } from '../email/import-email.js';
import type { ImportContent } from '../messages/content.js';
import { webhookBody } from '../messages/webhook-body.js';
import { importContent, summaryDeliveries } from './summary-deliveries.js';

const website = { id: 'web_1', domain: 'shop.example', name: 'Shop' };
const at = (minute: number) => NOON - 100 * HOUR_MS + minute * MINUTE_MS;
const anyAlert = fc
  .record({
    type: fc.constantFrom(...alertTypeNames),
    severity: fc.constantFrom(...severities),
    subject: fc.string({ maxLength: 4 }),
    minute: fc.nat({ max: 5_000 }),
  })
  .map(({ minute, ...given }) => toMessageAlert(importedAlert(NOON, { ...given, createdAt: at(minute) })));
const contentOf = ({ content }: NewDelivery): ImportContent => JSON.parse(content);

test('each receiver has at most one message, about the alerts that the settings send to it', () => {
  const setting = fc.record({
    min_email_severity: fc.integer({ min: 1, max: 3 }),
    email_disabled_types: fc.subarray(alertTypeNames),
    alerts_enabled: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyAlert, { maxLength: 60 }), setting, (alerts, settings) => {
      const made = summaryDeliveries(alerts, 'first', audienceWith(settings));
      const mailed = alerts.filter(
        ({ type, severity }) =>
          rankOf(severity) >= settings.min_email_severity && !settings.email_disabled_types.includes(type),
      );
      const people = settings.alerts_enabled && mailed.length > 0 ? ['usr_1', 'usr_2'] : [];
      const hooks = settings.alerts_enabled && alerts.length > 0 ? 1 : 0;
      const emails = made.filter(({ channel }) => channel === 'email');
      expect(emails.map(({ target }) => target).sort()).toEqual(people);
      expect(made.length - emails.length).toBe(hooks);
      for (const one of made)
        expect(contentOf(one).count).toBe(one.channel === 'email' ? mailed.length : alerts.length);
    }),
  );
});

test('a message counts all alerts by type and lists the twenty most severe', () => {
  fc.assert(
    fc.property(fc.array(anyAlert, { minLength: 1, maxLength: 60 }), (alerts) => {
      const content = importContent(alerts);
      expect(content.byType.reduce((sum, [, count]) => sum + count, 0)).toBe(alerts.length);
      expect(content.imported).toHaveLength(Math.min(20, alerts.length));
      const ranks = content.imported.map(({ severity }) => rankOf(severity));
      expect(ranks).toEqual(
        alerts
          .map(({ severity }) => rankOf(severity))
          .sort((one, other) => other - one)
          .slice(0, 20),
      );
      expect(content.from).toBe(Math.min(...alerts.map(({ createdAt }) => createdAt)));
      expect(importContent(alerts.toReversed())).toEqual({ ...content, byType: expect.anything() });
    }),
  );
});

const many = Array.from({ length: 25 }, (_, index) =>
  toMessageAlert(
    importedAlert(NOON, {
      type: index < 5 ? 'crawler_blocked' : 'scraper',
      severity: index === 24 ? 'critical' : 'warning',
      subject: `192.0.2.${index}`,
      createdAt: at(index),
    }),
  ),
);

test('the e-mail has the span, the counts by type, and each listed alert with its time', () => {
  const { subject, text, html } = importEmail(importContent(many), website);
  const head = '25 alerts in imported logs of 2026-11-18 08:00 UTC to 2026-11-18 08:24 UTC';
  expect(subject).toBe(`shop.example: ${head}`);
  const lines = text.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    `shop.example, ${head}: 20 scraper, 5 crawler_blocked.`,
    'The 20 most severe ones are listed here. GET /alerts lists all of them.',
    '',
  ]);
  expect(lines[3]).toBe('[critical] scraper, 2026-11-18 08:24 UTC');
  expect(lines[4]).toBe('  31 % of requests failed, 0.4 % are usual.');
  expect(lines.filter((line) => line.startsWith('['))).toHaveLength(20);
  for (const part of ['20 scraper, 5 crawler_blocked.', '[critical] scraper, 2026-11-18 08:24 UTC'])
    expect(html).toContain(part);
  const alone = importEmail(importContent(many.slice(0, 1)), website);
  expect(alone.subject).toBe('shop.example: 1 alert in imported logs of 2026-11-18 08:00 UTC');
  expect(alone.text).not.toContain('most severe');
});

test('the webhook has the same in fields', () => {
  const { alerts, ...body } = JSON.parse(webhookBody('id', importContent(many), website));
  expect(body).toEqual({
    id: 'id',
    type: 'alerts.imported',
    website,
    from: '2026-11-18T08:00:00.000Z',
    to: '2026-11-18T08:24:00.000Z',
    count: 25,
    by_type: { scraper: 20, crawler_blocked: 5 },
  });
  expect(alerts).toHaveLength(20);
  expect(alerts[0]).toEqual({
    alert_id: many[24]!.alertId,
    alert_type: 'scraper',
    severity: 'critical',
    subject: '192.0.2.24',
    message: many[24]!.message,
    created_at: '2026-11-18T08:24:00.000Z',
    last_seen: '2026-11-18T08:24:00.000Z',
  });
});

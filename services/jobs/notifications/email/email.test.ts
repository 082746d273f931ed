import { describe, expect, test } from 'vitest';
import { alertWith, NOON } from '../../../../test/harness/jobs/alert.js';
import { webhookBody } from '../messages/webhook-body.js';
import { alertEmail } from './alert-email.js';
import { digestEmail } from './digest-email.js';
import { importEmail } from './import-email.js';
import { plainValues } from './plain-values.js';

const website = { id: 'web_1', domain: 'shop.example', name: 'Shop' };
const evil =
  '</td><script>alert(1)</script>"\'><img src=x onerror=alert(1)>&amp;\r\nBcc: all@shop.example\u202e\u0000';

describe('the e-mail of an alert', () => {
  test('names the website, the problem and its start, with the evidence', () => {
    const alert = alertWith({
      severity: 'critical',
      details: { requests: 10, paths: ['/a', '/b'], z: 1.23456 },
    });
    const { subject, text, html } = alertEmail({ alert }, website);
    expect(subject).toBe('[critical] shop.example: 31 % of requests failed, 0.4 % are usual.');
    for (const part of [text, html]) {
      expect(part).toContain('2026-11-22 12:00 UTC');
      expect(part).toContain(alert.alertId);
      expect(part).toContain('/a, /b');
      expect(part).toContain('1.23');
    }
  });

  test('shows evidence in words: lists with their fields, without empty values', () => {
    const details = {
      status_5xx: 12,
      addresses: [],
      paths: [
        { path: '/s/app.css', requests: 3, country: '' },
        { path: '/a', requests: 1 },
      ],
      expected: { mean: 2 },
    };
    expect(plainValues(details)).toEqual([
      ['answered 5xx', '12'],
      ['paths', 'path /s/app.css, requests 3; path /a, requests 1'],
      ['expected, mean', '2'],
    ]);
    const { text } = alertEmail({ alert: alertWith({ details }) }, website);
    expect(text).not.toMatch(/[{}"]|^ .*: *$/m);
  });

  test('names the fields of evidence in words, and shows the beginning of a list in a list', () => {
    const details = {
      ...{ of: 'people', current_value: 649, window_minutes: 15 },
      addresses: [
        { address: '192.0.2.7', paths: ['/a', '/b', '/c', '/d', '/e'], badges: [{ name: 'x' }] },
        { address: '192.0.2.8', paths: ['/a'], codes: [404, 403] },
      ],
    };
    const values = plainValues(details);
    expect(values).toEqual([
      ['counted requests', 'from people'],
      ['current value', '649'],
      ['length of the window in minutes', '15'],
      [
        'addresses',
        'address 192.0.2.7, paths /a /b /c and 2 more; address 192.0.2.8, paths /a, codes 404 403',
      ],
    ]);
    expect(plainValues({ of: 'requests' })).toEqual([['counted requests', 'all']]);
  });

  test('of the last message of an hour names the end of the pause', () => {
    const alert = alertWith();
    const sentence = 'until 2026-11-22 13:00 UTC. GET /alerts lists all alerts.';
    const { text, html } = alertEmail({ alert, quietUntil: NOON + 3_600_000 }, website);
    for (const part of [text, html]) expect(part).toContain(sentence);
    const usual = alertEmail({ alert }, website);
    for (const part of [usual.text, usual.html]) expect(part).not.toContain('GET /alerts');
    const body = webhookBody('id', { alert, quietUntil: NOON + 3_600_000 }, website);
    expect(JSON.parse(body).quiet_until).toBe('2026-11-22T13:00:00.000Z');
    expect(webhookBody('id', { alert }, website)).not.toContain('quiet_until');
  });
});

describe('an untrusted text', () => {
  const alert = alertWith({
    subject: evil,
    message: evil,
    details: { [evil]: evil, list: [evil], nested: { [evil]: { deep: { deeper: evil } } } },
  });
  const incident = { ...alert, startedAt: alert.createdAt, alerts: 1, isImported: false };
  const imported = { from: 0, to: NOON, count: 1, byType: [['scraper', 1]], imported: [alert] } as const;
  const digest = { from: 0, to: NOON, incidents: [incident], more: 0 };
  test.each([
    ['an alert', alertEmail({ alert }, { ...website, domain: evil })],
    ['a digest', digestEmail(digest, { ...website, domain: evil })],
    ['a summary of imported logs', importEmail(imported, { ...website, domain: evil })],
  ])('is one line of text and no tag of HTML in %s', (_, email) => {
    expect(email.html).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
    expect(email.html.match(/<[^>]*>/g)!.filter((tag) => /alert|Bcc/.test(tag))).toEqual([]);
    expect(email.html).toContain('&lt;script&gt;');
    expect(email.subject).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(email.text.split('\n').filter((line) => /^\s*Bcc:/.test(line))).toEqual([]);
    expect((email.text + email.html).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('becomes no link in any mail program', () => {
    const links =
      'Bot/1.0 (+https://evil.example/a; HTTP://user@evil.example) www.evil.example/b WwW.evil.example hxftp://c mailto:x@evil.example';
    const linked = alertWith({
      message: links,
      details: { sample_user_agent: links, sample_paths: [`/go?to=${links}`], [links]: { [links]: [links] } },
    });
    const hostile = { ...incident, subject: links, message: links };
    for (const { text, html, subject: line } of [
      alertEmail({ alert: linked }, website),
      digestEmail({ from: 0, to: NOON, incidents: [hostile], more: 0 }, website),
      importEmail({ ...imported, imported: [hostile] }, website),
    ]) {
      for (const part of [text, html, line]) {
        expect(part).not.toMatch(/[a-z]:\/\/|www\.|mailto:/i);
      }
      for (const part of [text, html]) {
        expect(part).toContain('https[:]//evil[.]example/a');
        expect(part).toContain('www[.]evil[.]example/b');
      }
    }
  });

  test('is cut to a bounded length', () => {
    const details = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`name${index}`.padEnd(500, 'x'), 'y'.repeat(100_000)]),
    );
    const values = plainValues(details);
    expect(values).toHaveLength(25);
    expect(Math.max(...values.flat().map(({ length }) => length))).toBe(300);
    expect(plainValues({ list: Array.from({ length: 9 }, (_, index) => index) })).toEqual([
      ['list', '0, 1, 2, 3, 4, 4 more'],
    ]);
  });
});

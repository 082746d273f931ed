import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AnalyticsServer, startAnalytics } from '../../../test/harness/analytics-server.js';
import type { GoogleAnswer } from '../../../test/harness/google-server.js';
import { SourceError } from '../connections/source-error.js';
import { openGoogleAnalytics } from './google-analytics.js';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const serviceAccount = { type: 'service_account', clientEmail: 'a@b.example', privateKey } as const;
const DAY = '2026-11-17';
const signal = AbortSignal.timeout(60_000);
let google: AnalyticsServer;
let waits: number[];
beforeEach(async () => {
  google = await startAnalytics('2026-11-21');
  waits = [];
  return () => google.stop();
});

const open = (credential: Parameters<typeof openGoogleAnalytics>[0]['credential'] = serviceAccount) =>
  openGoogleAnalytics({
    ...{ credential, property: '123456789', domain: 'www.example.com', fetch: google.fetch },
    wait: async (ms) => {
      waits.push(ms);
    },
  });
const span = { historyDays: 487, lagDays: 3 };
const quota = { status: 429, body: { error: { message: 'Exhausted tokens', status: 'RESOURCE_EXHAUSTED' } } };

describe('Google Analytics', () => {
  test('is queried for whole days of its own time zone, for the website’s host alone', async () => {
    google.hits = [
      { date: DAY, sessions: 7, engagedSessions: 4, keyEvents: 2, totalRevenue: 12.5, screenPageViews: 20 },
      { date: '2026-11-18', sessions: 1, activeUsers: 1, userEngagementDuration: 90 },
      { date: '2026-11-19', sessions: 99 },
      { date: DAY, sessions: 50, hostName: 'other.example' },
    ];
    const reported = await open().days(span, signal);
    expect(reported).toEqual({
      timeZone: 'Europe/Berlin',
      days: [
        {
          ...{ day: DAY, sessions: 7, engagedSessions: 4, keyEvents: 2, revenue: 12.5, pageviews: 20 },
          ...{ activeUsers: 0, engagementSecs: 0, currency: 'EUR', timeZone: 'Europe/Berlin' },
        },
        {
          ...{ day: '2026-11-18', sessions: 1, engagedSessions: 0, keyEvents: 0, revenue: 0, pageviews: 0 },
          ...{ activeUsers: 1, engagementSecs: 90, currency: 'EUR', timeZone: 'Europe/Berlin' },
        },
      ],
    });
    const [call] = google.calls;
    expect(call!.path).toBe('/v1beta/properties/123456789:runReport');
    expect(call!.body).toMatchObject({
      dateRanges: [{ startDate: '487daysAgo', endDate: '3daysAgo' }],
      dimensionFilter: {
        filter: { fieldName: 'hostName', inListFilter: { values: ['example.com', 'www.example.com'] } },
      },
    });
    const claims = JSON.parse(
      Buffer.from(google.tokens[0]!.get('assertion')!.split('.')[1]!, 'base64url').toString(),
    );
    expect(claims).toMatchObject({ scope: 'https://www.googleapis.com/auth/analytics.readonly' });
  });

  test('also accepts an OAuth consent', async () => {
    const given = { type: 'oauth', clientId: 'c', clientSecret: 's', refreshToken: 'r' } as const;
    expect(await open(given).days(span, signal)).toEqual({ days: [], timeZone: 'Europe/Berlin' });
    expect(Object.fromEntries(google.tokens[0]!)).toMatchObject({
      ...{ grant_type: 'refresh_token', refresh_token: 'r' },
    });
  });

  test('is read page by page, up to the limit of rows', async () => {
    const hits = Array.from({ length: 50_003 }, (_, index) => ({
      ...{ date: DAY, landingPage: `/${index}`, pagePath: `/${index}` },
      ...{ sessionSource: 'google', sessionMedium: 'organic', sessions: 1, screenPageViews: 1 },
    }));
    google.hits = hits.slice(0, 10_003);
    expect(await open().landings(DAY, signal)).toHaveLength(10_003);
    expect(google.calls.map(({ body }) => [body.limit, body.offset])).toEqual([
      ['10000', '0'],
      ['10000', '10000'],
    ]);
    google.hits = hits;
    expect(await open().views(DAY, signal)).toHaveLength(50_000);
    expect(google.calls).toHaveLength(7);
  });

  test('returns foreign texts unchanged', async () => {
    const texts = ['__proto__', 'constructor', '\u0000\n\t', '../../etc', 'x'.repeat(10_000), '🎈'];
    google.hits = texts.map((text) => ({
      ...{ date: DAY, sessionSource: text, sessionMedium: text, sessions: 3 },
    }));
    const reported = await open().senders(DAY, signal);
    expect(reported.map(({ source }) => source).sort()).toEqual([...texts].sort());
    expect(reported[0]).toMatchObject({ sessions: 3, revenue: 0 });
  });

  test.each<[string, GoogleAnswer]>([
    ['a quota', quota],
    ['a limit by 403', { status: 403, body: { error: { message: 'x', status: 'RESOURCE_EXHAUSTED' } } }],
    ['a failure', { status: 500, body: 'oops' }],
    ['an answer that was cut', { status: 200, body: { rows: [], rowCount: 0 }, cut: true }],
  ])('is asked again after %s, with growing waits', async (_name, failure) => {
    google.failures.push(failure, failure);
    expect((await open().days(span, signal)).days).toEqual([]);
    expect(waits).toHaveLength(2);
    expect(google.calls).toHaveLength(3);
  });

  test('that stays at its quota fails after five calls', async () => {
    google.failures.push(...Array.from({ length: 5 }, () => quota));
    await expect(open().days(span, signal)).rejects.toMatchObject({
      ...{ reason: 'limited', message: 'Google: Exhausted tokens' },
    });
    expect(google.calls).toHaveLength(5);
  });

  test.each<[string, GoogleAnswer]>([
    ['the property', { status: 403, body: { error: { message: 'no', status: 'PERMISSION_DENIED' } } }],
    ['the token', { status: 401, body: { error: { message: 'no', status: 'UNAUTHENTICATED' } } }],
    ['the question', { status: 400, body: { error: { message: 'no', status: 'INVALID_ARGUMENT' } } }],
  ])('that refuses %s is not asked again', async (_name, failure) => {
    google.failures.push(...Array.from({ length: 5 }, () => failure));
    const refused = open().days(span, signal);
    await expect(refused).rejects.toBeInstanceOf(SourceError);
    await expect(refused).rejects.toMatchObject({ reason: 'refused' });
    expect(waits).toEqual([]);
  });

  test('with a revoked consent is refused', async () => {
    google.tokenFailures.push({ status: 400, body: { error: 'invalid_grant' } });
    const given = { type: 'oauth', clientId: 'c', clientSecret: 's', refreshToken: 'r' } as const;
    await expect(open(given).days(span, signal)).rejects.toMatchObject({
      ...{ reason: 'refused', message: 'Google: invalid_grant' },
    });
    expect(google.calls).toEqual([]);
  });

  const withValue = (value: unknown, date: unknown = '20261117') => ({
    status: 200,
    body: {
      rows: [
        {
          dimensionValues: [{ value: date }],
          metricValues: [value, '0', '0', '0', '0', '0', '0'].map((one) => ({ value: one })),
        },
      ],
      rowCount: 1,
    },
  });
  test.each<[string, GoogleAnswer]>([
    ['NaN', withValue('NaN')],
    ['Infinity', withValue('Infinity')],
    ['less than nothing', withValue('-1')],
    ['an object', withValue({ toString: 1 })],
    ['no number', withValue('twelve')],
    ['a date that is none', withValue('1', '20261399')],
    ['no date', withValue('1', 'constructor')],
    ['rows of another width', { status: 200, body: { rows: [{ dimensionValues: [], metricValues: [] }] } }],
    ['rows that are no list', { status: 200, body: { rows: { length: 1e9 } } }],
    ['a list', { status: 200, body: [] }],
    ['no JSON', { status: 200, body: '<html>' }],
  ])('with an undocumented answer has no figures: %s', async (_name, answer) => {
    google.failures.push(...Array.from({ length: 5 }, () => answer));
    await expect(open().days(span, signal)).rejects.toMatchObject({
      ...{ reason: 'unavailable', message: expect.stringContaining('undocumented answer') },
    });
  });

  test('with absurd figures is read, and the figures are capped', async () => {
    google.hits = [
      { date: DAY, sessionSource: 'a', sessions: 9e15, keyEvents: 1.5e300, totalRevenue: 1e308 },
      { date: DAY, sessionSource: 'b', sessions: 3, totalRevenue: -1e20 },
      { date: DAY, sessionSource: 'c', sessions: 2, totalRevenue: 12.5 },
    ];
    expect(await open().senders(DAY, signal)).toMatchObject([
      { source: 'a', sessions: 1e12, keyEvents: 1e12, revenue: 1e13 },
      { source: 'b', sessions: 3, revenue: -1e13 },
      { source: 'c', sessions: 2, revenue: 12.5 },
    ]);
  });

  test('is read up to 20 million characters of names', async () => {
    google.hits = Array.from({ length: 25_000 }, (_, index) => ({
      ...{ date: DAY, pagePath: `/${index}`.padEnd(2_000, 'x'), screenPageViews: 1 },
    }));
    expect(await open().views(DAY, signal)).toHaveLength(10_000);
    expect(google.calls).toHaveLength(2);
  });

  test('with an unknown time zone or currency is read without them', async () => {
    google.metadata = { timeZone: 'Mars/Base', currencyCode: "'; --" };
    google.hits = [{ date: DAY, sessions: 1 }];
    expect(await open().days(span, signal)).toMatchObject({
      ...{ timeZone: '', days: [{ currency: '', timeZone: '' }] },
    });
  });
});

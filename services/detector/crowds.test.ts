import { describe, expect, it } from 'vitest';
import type { Alert } from '../../shared/alerts/alert.js';
import { defaultAlertSettings } from '../../shared/alerts/settings.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { closeWith } from '../../test/harness/detector/close-with.js';
import { type CountedRow, countRows } from '../../test/harness/detector/count-rows.js';
import { knownWebsite, NOW, STEP } from '../../test/harness/detector/steady-traffic.js';
import { storedRequest } from '../../test/harness/stored-requests.js';
import { emptyCounts } from './counts/span-counts.js';
import { decodeState, encodeState } from './evaluation/website-state.js';

/** More addresses and names than lists can contain: one cause is one alert, with exact numbers. */

const KNOWN = encodeState({ ...knownWebsite(), firstLogAt: NOW - 8 * DAY_MS });

type Given = Omit<Partial<CountedRow>, 'timestamp'>;

/** The given number of rows, evenly over a time after {@link NOW}. */
const rows = (count: number, lengthMs: number, rowOf: (index: number) => Given, from = NOW): CountedRow[] =>
  Array.from({ length: count }, (_, index) =>
    storedRequest({
      website_id: 'w',
      timestamp: Math.floor(from + (index / count) * lengthMs),
      ...rowOf(index),
    }),
  );

const googlebot: Given = {
  ...{ bot_name: 'Googlebot', bot_family: 'Google', bot_operator: 'Google' },
  bot_category: 'search',
};

/** The website's requests in every five minutes, for two hours. */
const usual = Array.from({ length: 24 }, (_, at) => NOW - HOUR_MS + at * STEP).flatMap((at) => [
  ...rows(290, STEP, (index) => ({ client_ip: `198.51.${index >> 7}.${index & 127}` }), at),
  ...rows(
    10,
    STEP,
    () => ({
      ...googlebot,
      traffic_class: 'search_bot',
      bot_verification: 'verified',
      client_ip: '66.249.66.1',
    }),
    at,
  ),
]);

/** Alerts in the half hour after {@link NOW}. */
function alertsOf(more: readonly CountedRow[]): Alert[] {
  const byInterval = new Map<number, CountedRow[]>();
  for (const row of [...usual, ...more]) {
    const interval = Math.floor(row.timestamp / STEP);
    const known = byInterval.get(interval);
    if (known === undefined) byInterval.set(interval, [row]);
    else known.push(row);
  }
  const state = decodeState(KNOWN);
  const given = {
    ...{ settings: defaultAlertSettings, suppressed: new Set<string>(), takenChangedAt: 0 },
    sharedNetworkOf: () => null,
  };
  const alerts = new Map<string, Alert>();
  for (let start = NOW; start < NOW + HOUR_MS / 2; start += STEP) {
    const found = closeWith(state, { start, end: start + STEP }, given, (span) => {
      const some: CountedRow[] = [];
      for (let at = span.start; at < span.end; at += STEP)
        for (const row of byInterval.get(at / STEP) ?? []) some.push(row);
      const lengthMs = span.end - span.start;
      const spans = { websiteIds: ['w'], from: span.start, to: span.end, lengthMs, lists: span.lists };
      return countRows(some, spans).get('w')?.get(span.start) ?? emptyCounts(span.start);
    });
    for (const alert of found.alerts) alerts.set(alert.alertId, alert);
  }
  return [...alerts.values()];
}

const address = (index: number) => `10.0.${index >> 7}.${index & 127}`;

describe('one alert', () => {
  it('is not raised for usual traffic', () => {
    expect(alertsOf([])).toEqual([]);
  });

  it('covers 340 addresses that probe', () => {
    const probes = rows(340 * 16, STEP, (index) => ({
      ...{ client_ip: address(index % 340), path: `/.env.${Math.floor(index / 340)}` },
      ...{ status: 404, is_probe: true, user_agent: 'Mozilla/5.0 (scan)' },
    }));
    const [probing, ...others] = alertsOf(probes);
    expect(others).toEqual([]);
    expect(probing).toMatchObject({
      type: 'hacking_probe',
      subject: '',
      message: expect.stringMatching(/^340 addresses asked 5440 times in 15 minutes/),
      details: { address_count: 340, requests: 5_440, probes: 5_440 },
    });
    expect(probing!.details.addresses).toHaveLength(20);
    expect(probing!.details.addresses).toContainEqual(
      expect.objectContaining({ ip: '10.0.0.0', user_agent: 'Mozilla/5.0 (scan)', requests: 16 }),
    );
  });

  it('covers 500 addresses that fetch all pages', () => {
    const pages = rows(500 * 130, 15 * MINUTE_MS, (index) => ({
      ...{ client_ip: address(index % 500), path: `/article/${Math.floor(index / 500)}` },
    }));
    const [scraping, ...others] = alertsOf(pages);
    expect(others).toEqual([]);
    expect(scraping).toMatchObject({
      type: 'scraper',
      message: '500 addresses fetched 65000 pages in 15 minutes.',
      details: { address_count: 500, requests: 65_000 },
    });
  });

  it('covers 150 new names, and another one covers an impostor among them', () => {
    const names = rows(150 * 45, 15 * MINUTE_MS, (index) => ({
      ...{ client_ip: address(index % 2_000), path: `/page/${index % 9}`, bot_name: `Bot ${index % 150}` },
      ...{ bot_category: 'other', bot_verification: 'unverifiable', traffic_class: 'other_bot' },
    }));
    const impostor = rows(60, 15 * MINUTE_MS, () => ({
      ...googlebot,
      ...{ client_ip: '203.0.113.5', bot_verification: 'spoofed', traffic_class: 'spoofed_bot' },
    }));
    const alerts = alertsOf([...names, ...impostor]);
    expect(alerts).toMatchObject([
      { type: 'fake_crawler', subject: 'Googlebot', details: { addresses: [{ ip: '203.0.113.5' }] } },
      {
        type: 'new_bot',
        message: expect.stringMatching(/^150 bots are new on this website: 6750 requests in 15 minutes/),
        details: { bot_count: 150, requests: 6_750 },
      },
    ]);
  });

  it.each([
    [1, '/log-in'],
    [400, '/log-in'],
  ])('covers refusals of %i addresses that guess passwords, at %s', (count, path) => {
    const guesses = rows(8_000, 10 * MINUTE_MS, (index) => ({
      ...{ client_ip: address(index % count), path, status: 401 },
    }));
    const [refused, ...others] = alertsOf(guesses);
    expect(others).toEqual([]);
    expect(refused).toMatchObject({
      type: 'error_rate',
      details: {
        paths: [{ path, status: 401 }],
        refused: expect.arrayContaining([
          expect.objectContaining({ ip: '10.0.0.0', paths: [path], user_agent: expect.anything() }),
        ]),
      },
    });
  });

  it('covers an address that guesses passwords at a path that scanners probe', () => {
    const guesses = rows(8_000, 10 * MINUTE_MS, () => ({
      ...{ client_ip: '10.0.0.1', path: '/wp-login.php', is_probe: true, status: 401 },
    }));
    const [probing, ...others] = alertsOf(guesses);
    expect(others).toEqual([]);
    expect(probing).toMatchObject({ type: 'hacking_probe', subject: '10.0.0.1', details: { probes: 8_000 } });
  });
});

import { expect, it } from 'vitest';
import { demoIncidents } from '../../deploy/demo/traffic/demo-traffic.js';
import type { Alert } from '../../shared/alerts/alert.js';
import { MINUTE_MS } from '../../shared/durations.js';
import { alertsOfImport } from '../../test/harness/detector/demo-week.js';

/** A new website imports some days of a shop in which crawlers come in bouts. */

const END = Date.UTC(2026, 10, 26);

it.each([
  { seed: 'a', days: 14, requestsPerDay: 1_500 },
  { seed: 'c', days: 4, requestsPerDay: 2_000 },
  { seed: 'e', days: 4, requestsPerDay: 300 },
])(
  'an import of $days days with $requestsPerDay requests a day reports only impostors, password guessing and the outage',
  (given) => {
    const alerts = alertsOfImport({ ...given, end: END });
    const { outage } = demoIncidents({ days: given.days, end: END });
    const isExpected = ({ type, details }: Alert) =>
      ['fake_crawler', 'undeclared_agent', 'error_spike_5xx'].includes(type) ||
      // The demo has an address that guesses passwords 200 times at WordPress's login.
      (type === 'hacking_probe' && Number(details.probes) > 200);
    expect(alerts.filter((alert) => !isExpected(alert)).map(({ message }) => message)).toEqual([]);
    expect(alerts.some(({ type }) => type === 'fake_crawler')).toBe(true);
    const errors = alerts.filter(({ type }) => type === 'error_spike_5xx');
    // With 300 requests a day, the hour of the outage has six.
    expect(errors).toHaveLength(given.requestsPerDay < 1_000 ? 0 : 1);
    for (const { createdAt } of errors) {
      expect(createdAt).toBeGreaterThan(outage.start);
      expect(createdAt).toBeLessThanOrEqual(outage.end + 5 * MINUTE_MS);
    }
  },
);

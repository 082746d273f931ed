import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SpanCounts } from '../../services/detector/counts/span-counts.js';
import { withoutTimes } from '../../services/detector/findings/beginning.js';
import { rules } from '../../services/detector/rules/all-rules.js';
import { fingerprintOf } from '../../shared/alerts/alert.js';
import { botOf, clientOf } from '../harness/detector/counts.js';
import { foundIn, windowOf } from '../harness/detector/view.js';

/** The examples in the documentation of `GET /alerts` are exactly the alerts of the rules for such windows. */

interface Example {
  readonly alert_type: string;
  readonly severity: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly fingerprint: string;
}

const file = new URL('../../services/api/docs/examples/listAlerts.json', import.meta.url);
const { alerts } = JSON.parse(readFileSync(file, 'utf8')) as { readonly alerts: readonly Example[] };

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)';

/** The window of each example, by type. */
const windows = new Map<string, Parameters<typeof windowOf>>([
  [
    'error_spike_5xx',
    [
      {
        ...{ requests: 1_830, people: 1_830, status5xx: 450, status4xx: 23, notFound: 19, rejected: 2 },
        paths: [{ path: '/checkout', status: 502, requests: 311 }],
        byClient: [
          clientOf({
            ip: '203.0.113.9',
            requests: 41,
            status5xx: 12,
            isPerson: true,
            sampleUserAgent: PHONE,
            samplePaths: ['/checkout'],
          }),
        ],
      },
    ],
  ],
  [
    'traffic_spike',
    [
      {
        ...{ requests: 2_410, people: 2_215, bots: 195 },
        byClient: [
          clientOf({
            ...{ ip: '203.0.113.9', requests: 64, isPerson: true },
            ...{ sampleUserAgent: PHONE, samplePaths: ['/sale'] },
          }),
        ],
        byBot: [
          botOf({
            ...{ name: 'Googlebot', requests: 88, verification: 'verified' },
            sampleUserAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)',
          }),
        ],
        paths: [{ path: '/sale', status: 200, requests: 1_204 }],
      } satisfies Partial<SpanCounts>,
      { judged: { traffic: { value: 2_410, mean: 820, std: 90 } } },
    ],
  ],
]);

test.each(alerts.map((alert) => [alert.alert_type, alert] as const))(
  'the example of %s is the alert of its rule',
  (type, { severity, message, details, fingerprint }) => {
    const rule = rules.find((one) => one.type === type)!;
    const window = windowOf(...windows.get(type)!);
    const found = foundIn(rule, window);
    expect(found).toMatchObject([{ severity, message }]);
    const evidence = withoutTimes(details);
    expect(found[0]!.details).toEqual(evidence);
    expect(Object.keys(found[0]!.details)).toEqual(Object.keys(evidence));
    expect(fingerprintOf({ ...found[0]!, type: rule.type })).toBe(fingerprint);
  },
);

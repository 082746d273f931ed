import { describe, expect, test } from 'vitest';
import { createKnownFacts } from './known-facts.js';

/** The texts of the facts of an answer. */
const readings = (answer: unknown) => {
  const known = createKnownFacts();
  known.show(answer);
  const texts: string[] = [];
  for (let number = 1; known.get(String(number)) !== undefined; number++)
    texts.push(known.get(String(number))!.text);
  return texts;
};

describe('facts', () => {
  test('are numbered throughout a conversation, and shown with their references', () => {
    const known = createKnownFacts(['4xx']);
    expect(known.show({ total_requests: 20_498, path: '/a', nothing: null, partial: true })).toEqual({
      ...{ total_requests: '{fact_2}: 20,498', path: '{fact_3}: /a', nothing: null, partial: true },
    });
    expect(known.show([{ path: '/b', requests: 1 }])).toEqual([
      { path: '{fact_4}: /b', requests: '{fact_5}: 1' },
    ]);
    expect(known.get('1')).toEqual({ kind: 'term', text: '4xx' });
    expect(known.get('2')).toEqual({ kind: 'figure', text: '20,498' });
    expect(known.get('3')).toEqual({ kind: 'name', text: '/a' });
    expect(['0', '6', '999999'].map(known.get)).toEqual([undefined, undefined, undefined]);
  });

  test('have one number for each text, and for each place of a figure', () => {
    const known = createKnownFacts(['4xx']);
    expect(
      known.show([
        { bot: 'GPTBot', requests: 5, of: '4xx' },
        { bot: 'GPTBot', requests: 5 },
      ]),
    ).toEqual([
      { bot: '{fact_2}: GPTBot', requests: '{fact_3}: 5', of: '{fact_1}: 4xx' },
      { bot: '{fact_2}: GPTBot', requests: '{fact_4}: 5' },
    ]);
    expect(known.show({ bot: 'GPTBot' })).toEqual({ bot: '{fact_2}: GPTBot' });
  });

  test.each([
    ['a count', { requests: 1_234_567 }, '1,234,567'],
    ['none', { requests: 0 }, '0'],
    ['a count without a whole value', { daily_avg: 355.7 }, '355.7'],
    ['a percentage', { error_rate_4xx_pct: 9.1 }, '9.1 %'],
    ['a percentage, by the last part of the name that says so', { avg_time_ms_pct: 12.5 }, '12.5 %'],
    ['a share', { pct_of_crawl: 11.59 }, '11.59 %'],
    ['another share', { ai_percentage: 11.98 }, '11.98 %'],
    ['milliseconds', { p95_time_ms: 343 }, '343 ms'],
    ['seconds', { avg_engagement_secs: 31.2 }, '31.2 seconds'],
    ['bytes', { bytes_sent: 658_047_398 }, '658,047,398 bytes'],
    ['hours', { period_hours: 24.58 }, '24.58 hours'],
    ['a day', { days_in_period: 1 }, '1 day'],
    ['a growth', { deltas: { total_requests_pct: 8.46 } }, '+8.46 %'],
    ['a decline', { delta_pct: -17.96 }, '-17.96 %'],
    ['no change', { deltas: { total_requests_pct: 0 } }, '0 %'],
    ['a change in points', { error_rate_5xx_pp: 0.04 }, '+0.04 pp'],
    ['a status', { status: 404 }, '404'],
    ['a day', { start: '2026-11-15T00:00:00.000Z' }, '2026-11-15'],
    ['a day without a time', { day: '2026-11-15' }, '2026-11-15'],
    ['an instant', { last_seen: '2026-11-22T11:53:42.694Z' }, '2026-11-22 11:53 UTC'],
    ['an hour of a series', { time_bucket: '2026-11-22T11:00:00.000Z' }, '2026-11-22 11:00 UTC'],
  ])('%s reads with its unit', (_name, answer, text) => {
    expect(readings(answer)).toEqual([text]);
  });

  test('include statuses and names that are keys', () => {
    const known = createKnownFacts();
    expect(known.show({ rejected_by_status: { 403: 12 }, hours_of: { GPTBot: 3, other: 1 } })).toEqual({
      rejected_by_status: { '{fact_1}: 403': '{fact_2}: 12' },
      hours_of: { '{fact_3}: GPTBot': '{fact_4}: 3', other: '{fact_5}: 1' },
    });
    expect(known.get('1')!.kind).toBe('figure');
  });

  test.each([
    '99999',
    '99,999',
    '+49 30 1234567',
    '99999 visits',
    '(030) 12',
    '2026-01-01',
    '192.0.2.1',
    '½',
  ])('are no texts of strangers that look like figures: %s', (name) => {
    expect(readings({ name })).toEqual([]);
  });

  test.each(['/99999', '/+49 30 1234567', 'SemrushBot/7~bl', '360Spider', 'Mozilla/5.0 (X11)'])(
    'include texts that look like names: %s',
    (name) => {
      expect(readings({ name })).toEqual([name]);
    },
  );
});

describe('an answer', () => {
  test('that is ordered by time is shown with its newest entries', () => {
    const hours = Array.from({ length: 168 }, (_, hour) => ({ time: `t${hour}`, requests: hour }));
    const { hourly } = createKnownFacts().show({ hourly: hours }) as { hourly: { requests: string }[] };
    expect(hourly.map(({ requests }) => requests.split(': ')[1])).toEqual(
      Array.from({ length: 12 }, (_, at) => String(156 + at)),
    );
  });

  test('is shortened for the model, and its field names are cleaned too', () => {
    const rows = Array.from({ length: 300 }, (_, index) => {
      return { path: `/${index}/${'x'.repeat(5_000)}`, requests: index, ...Object.fromEntries(wide(60)) };
    });
    const known = createKnownFacts();
    const shown = known.show({ rows, '`__proto__`': 1, nothing: null }) as Record<string, any>;
    expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(12_288);
    expect(shown.rows).toHaveLength(8);
    expect(shown.rows[0].path).toMatch(/^\{fact_1\}: \/0\/x{117}\.\.\.$/);
    expect(Object.keys(shown)).toEqual([
      'rows',
      expect.stringMatching(/^\{fact_\d+\}: __proto__$/),
      'nothing',
    ]);
    // Entries that are not shown have no number.
    expect(known.get(String(8 * 62 + 3))).toBeUndefined();
  });

  test('that cannot be shortened enough is not shown, and has no facts', () => {
    const known = createKnownFacts();
    expect(known.show(Object.fromEntries(wide(9_000)))).toBeNull();
    expect(known.get('1')).toBeUndefined();
  });
});

const wide = (count: number) => Array.from({ length: count }, (_, index) => [`n${index}`, index] as const);

import { beforeAll, expect, test } from 'vitest';
import { loadReferrerList } from '../../../shared/crawlers/referrers.js';
import { createSenders } from '../../../shared/reads/analytics/session-senders.js';
import { recordedAnalytics } from '../../admin/server/recorded-analytics.js';
import type { DemoRequest } from './demo-request.js';
import { demoTraffic } from './demo-traffic.js';
import { createWebAnalytics } from './web-analytics.js';

const demo = {
  ...{ seed: 'test', days: 3, requestsPerDay: 8_000, domain: 'shop.example' },
  end: Date.parse('2026-11-20T12:00:00Z'),
};
const senderOf = createSenders(loadReferrerList());

let requests: DemoRequest[];
let days: ReturnType<ReturnType<typeof createWebAnalytics>['days']>;
beforeAll(() => {
  const analytics = createWebAnalytics(demo, senderOf);
  requests = [...analytics.watch(demoTraffic(demo))];
  days = analytics.days('web_1');
});

const viewsOn = (day: string) =>
  requests.filter(
    ({ timestamp, actor, method, content_type, status }) =>
      new Date(timestamp).toISOString().startsWith(day) &&
      ['human', 'ai_visitor'].includes(actor) &&
      method === 'GET' &&
      content_type === 'text/html' &&
      [200, 304].includes(status),
  ).length;
const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0);

test('the traffic is not changed, and its whole days are reported', () => {
  expect(requests).toEqual([...demoTraffic(demo)]);
  expect(days.map(({ totals, from }) => [totals.day, from])).toEqual([
    ['2026-11-18', '2026-11-18'],
    ['2026-11-19', '2026-11-18'],
  ]);
  for (const day of days) expect(recordedAnalytics.parse(day)).toEqual(day);
});

test('it counts only logged views of people who allow it', () => {
  for (const { totals } of days) {
    const share = totals.pageviews / viewsOn(totals.day);
    expect(share).toBeGreaterThan(0.8);
    expect(share).toBeLessThan(0.94);
  }
});

test('the sums of pages and sources equal the day, and a session is counted once', () => {
  for (const { totals, pages, sources } of days) {
    for (const of of ['sessions', 'engagedSessions', 'keyEvents', 'revenue'] as const) {
      expect(sumOf(pages, (page) => page[of])).toBe(totals[of]);
      expect(sumOf(sources, (source) => source[of])).toBe(totals[of]);
    }
    expect(totals.sessions).toBeLessThan(totals.pageviews);
    expect(totals.activeUsers).toBeLessThanOrEqual(totals.sessions);
    expect(sumOf(pages, (page) => page.aiSessions)).toBe(
      sumOf(
        sources.filter(({ aiOperator }) => aiOperator !== ''),
        ({ sessions }) => sessions,
      ),
    );
  }
});

test('sources of sessions include assistants and search engines', () => {
  const named = new Map(
    days.flatMap(({ sources }) => sources.map((one) => [`${one.source}/${one.medium}`, one.aiOperator])),
  );
  expect(named.get('google/organic')).toBe('');
  expect(named.get('chatgpt.com/(not set)')).toBe('OpenAI');
  expect(named.get('gemini.google.com/referral')).toBe('Google');
});

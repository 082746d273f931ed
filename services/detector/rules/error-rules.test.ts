import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/durations.js';
import { botOf, clientOf, countsOf } from '../../../test/harness/detector/counts.js';
import { foundIn, stretchOf, websiteOf, windowOf } from '../../../test/harness/detector/view.js';
import { remainderOf } from '../counts/remainder.js';
import type { SpanCounts } from '../counts/span-counts.js';
import { errorRate } from './error-rate.js';
import { errorSpike5xx } from './error-spike-5xx.js';
import { notFoundSpike } from './not-found-spike.js';
import type { Rule } from './rule.js';

function found(rule: Rule, counts: Partial<SpanCounts>) {
  const window = windowOf(counts, { minutes: 5 });
  return foundIn(rule, window);
}

describe('error_spike_5xx', () => {
  it('reports the share, the usual share and the failing paths', () => {
    const paths = [
      { path: '/pay', status: 502, requests: 40 },
      { path: '/gone', status: 404, requests: 9 },
    ];
    expect(found(errorSpike5xx, { requests: 400, status5xx: 80, paths })).toMatchObject([
      {
        severity: 'critical',
        details: {
          current_value: 80,
          current_share_pct: 20,
          baseline_share_pct: 0.2,
          paths: [{ path: '/pay', status: 502, requests: 40 }],
        },
      },
    ]);
  });

  it('reports ten failures in ten requests, for which a z-score means nothing', () => {
    expect(found(errorSpike5xx, { requests: 10, status5xx: 10 })).toHaveLength(1);
  });

  it('ignores five failures, a share of 4 %, and a share that chance can bring', () => {
    expect(found(errorSpike5xx, { requests: 8, status5xx: 5 })).toEqual([]);
    expect(found(errorSpike5xx, { requests: 5_000, status5xx: 200 })).toEqual([]);
    expect(found(errorSpike5xx, { requests: 130, status5xx: 8 })).toEqual([]);
  });

  /** Requests and failures in a window and in the time before it. */
  const foundAfter = (newest: [number, number], before: [number, number], minutes: number) => {
    const window = windowOf({ requests: newest[0], status5xx: newest[1] }, { minutes: 5 });
    const [requests, status5xx] = [newest[0] + before[0], newest[1] + before[1]];
    const remainder = remainderOf(countsOf({ requests, status5xx }), minutes, () => false);
    const longer = stretchOf(window, { start: window.end - minutes * MINUTE_MS, remainder });
    return errorSpike5xx.find(window, websiteOf(window, { stretches: [stretchOf(window), longer] }));
  };

  it('adds up the windows of an hour on a website with few requests, while failures go on', () => {
    expect(foundAfter([3, 2], [27, 18], 60)).toMatchObject([{ details: { window_minutes: 60 } }]);
    expect(foundAfter([3, 0], [27, 18], 60)).toEqual([]);
  });

  it.each([
    ['an hour', 60],
    ['two windows', 10],
  ])('ignores a window without requests, even if requests failed before in %s', (_, minutes) => {
    expect(foundAfter([0, 0], [27, 18], minutes)).toEqual([]);
  });

  it('does not wait for another window if two together are far beyond chance', () => {
    expect(foundAfter([40, 9], [40, 9], 10)).toMatchObject([
      { isSure: true, details: { current_value: 18 } },
    ]);
  });

  it('needs a chance below 1 in 1,000 for a window that waits, and below 1 in 10,000 for two that do not', () => {
    expect(found(errorSpike5xx, { requests: 60, status5xx: 6 })).toMatchObject([{ isSure: false }]);
    expect(found(errorSpike5xx, { requests: 70, status5xx: 6 })).toEqual([]);
    expect(foundAfter([40, 4], [40, 4], 10)).toMatchObject([{ isSure: true }]);
    expect(foundAfter([45, 4], [45, 4], 10)).toMatchObject([{ isSure: false }]);
  });

  it('waits if one of the windows has all failures', () => {
    expect(foundAfter([40, 18], [40, 0], 10)).toMatchObject([{ isSure: false }]);
    expect(found(errorSpike5xx, { requests: 400, status5xx: 300 })).toMatchObject([{ isSure: false }]);
  });
});

describe('not_found_spike', () => {
  it('reports the share and the paths', () => {
    const paths = [{ path: '/moved', status: 404, requests: 60 }];
    expect(found(notFoundSpike, { requests: 400, status4xx: 60, notFound: 60, paths })).toMatchObject([
      { severity: 'warning', details: { current_value: 60, current_share_pct: 15, paths } },
    ]);
  });

  it('ignores the requests of a scanner', () => {
    const byClient = [clientOf({ requests: 60, probes: 55, notFound: 60, paths: 50 })];
    expect(found(notFoundSpike, { requests: 400, status4xx: 60, notFound: 60, byClient })).toEqual([]);
  });

  it('ignores a share below 5 %', () => {
    expect(found(notFoundSpike, { requests: 4_000, status4xx: 190, notFound: 190 })).toEqual([]);
  });
});

describe('failures of people', () => {
  const polling = (notFound: number) => {
    const byBot = [botOf({ name: 'poller', category: 'tool', verification: 'unverifiable', requests: 600 })];
    return { requests: 640, people: 40, bots: 600, status4xx: notFound, notFound, byBot };
  };

  it('are reported if requests of machines hide them', () => {
    expect(found(notFoundSpike, polling(12))).toMatchObject([
      { details: { current_value: 12, requests: 40, current_share_pct: 30 } },
    ]);
    expect(found(notFoundSpike, polling(4))).toEqual([]);
  });

  it('do not include failures of bots', () => {
    const { byBot, ...rest } = polling(20);
    const failing = byBot.map((bot) => ({ ...bot, notFound: 20 }));
    expect(found(notFoundSpike, { ...rest, byBot: failing })).toEqual([]);
  });
});

describe('error_rate', () => {
  it('counts refusals, which are neither server errors nor pages not found', () => {
    expect(found(errorRate, { requests: 400, status4xx: 90, rejected: 90 })).toMatchObject([
      { severity: 'warning', details: { current_value: 90, current_share_pct: 22.5, rejected: 90 } },
    ]);
  });

  it('names the address that has most of the refusals', () => {
    const byClient = [
      clientOf({ ip: '192.0.2.1', asName: 'Rented', requests: 80, rejected: 70 }),
      clientOf({ ip: '192.0.2.2', requests: 20, rejected: 20 }),
    ];
    const counts = { requests: 400, status4xx: 90, rejected: 90, byClient };
    expect(found(errorRate, counts)).toMatchObject([
      { message: expect.stringMatching(/%\. 70 refusals .* are of one address, 192\.0\.2\.1 \(Rented\)\.$/) },
    ]);
    const many = byClient.map((client) => ({ ...client, rejected: 40 }));
    expect(found(errorRate, { ...counts, byClient: many })).toMatchObject([
      { message: expect.stringMatching(/usual are [\d.]+ %\.$/) },
    ]);
  });

  it('ignores refusals of bots, but not other errors of an unverifiable bot', () => {
    const rejecting = (bot: Parameters<typeof botOf>[0]) => ({
      requests: 300,
      status4xx: 100,
      rejected: 100,
      byBot: [botOf({ requests: 100, rejected: 100, verification: 'unverifiable', ...bot })],
    });
    expect(found(errorRate, rejecting({ category: 'ai' }))).toEqual([]);
    expect(found(errorRate, rejecting({ category: 'ai', rejected: 0 }))).toHaveLength(1);
    expect(found(errorRate, rejecting({ category: 'tool' }))).toEqual([]);
    expect(found(errorRate, rejecting({ category: 'tool', rejected: 0 }))).toHaveLength(1);
  });

  it('ignores refusals of a verified crawler', () => {
    const byBot = [botOf({ verification: 'verified', requests: 100, rejected: 90 })];
    expect(found(errorRate, { requests: 400, status4xx: 90, rejected: 90, byBot })).toEqual([]);
  });

  it('ignores twice the usual share', () => {
    expect(found(errorRate, { requests: 4_000, status4xx: 160, rejected: 160 })).toEqual([]);
  });

  it('is inhibited by its causes', () => {
    expect(errorRate.inhibitedBy).toEqual(expect.arrayContaining(['error_spike_5xx', 'not_found_spike']));
  });
});

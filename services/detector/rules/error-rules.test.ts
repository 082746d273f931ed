import { describe, expect, it } from 'vitest';
import { botOf, clientOf } from '../../../shared/detection/signal.fixture.js';
import type { MinuteSignal } from '../../../shared/detection/signal.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { errorRate } from './error-rate.js';
import { errorSpike5xx } from './error-spike-5xx.js';
import { notFoundSpike } from './not-found-spike.js';
import type { Rule, WindowView } from './rule.js';
import { websiteOf, windowOf } from './view.fixture.js';

function found(rule: Rule, counts: Partial<MinuteSignal>) {
  const window = windowOf(counts, { minutes: 5 });
  return rule.find(window, websiteOf(window));
}

describe('error_spike_5xx', () => {
  it('tells the share, the usual one and where it fails', () => {
    const failingPaths = [
      { path: '/pay', status: 502, requests: 40 },
      { path: '/gone', status: 404, requests: 9 },
    ];
    expect(found(errorSpike5xx, { requests: 400, status5xx: 80, failingPaths })).toMatchObject([
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

  it('tells of ten failures in ten requests, where no z-score would', () => {
    expect(found(errorSpike5xx, { requests: 10, status5xx: 10 })).toHaveLength(1);
  });

  it('is silent about a handful, about one in twenty-five, and about a share that chance brings', () => {
    expect(found(errorSpike5xx, { requests: 8, status5xx: 7 })).toEqual([]);
    expect(found(errorSpike5xx, { requests: 5_000, status5xx: 200 })).toEqual([]);
    expect(found(errorSpike5xx, { requests: 130, status5xx: 8 })).toEqual([]);
  });

  it('adds up the hour of a website with few requests, while it goes on', () => {
    const stretches = (window: WindowView) => [
      { start: window.start, remainder: window.remainder },
      {
        start: window.end - HOUR_MS,
        remainder: { requests: 30, people: 0, errors: 20, notFound: 0, status5xx: 20 },
      },
    ];
    const foundIn = (counts: Partial<MinuteSignal>) => {
      const window = windowOf(counts, { minutes: 5 });
      const website = websiteOf(window);
      return errorSpike5xx.find(window, {
        ...website,
        hour: { ...website.hour, stretches: stretches(window) },
      });
    };
    expect(foundIn({ requests: 3, status5xx: 2 })).toMatchObject([{ details: { window_minutes: 60 } }]);
    expect(foundIn({ requests: 3 })).toEqual([]);
  });
});

describe('not_found_spike', () => {
  it('tells the share and the paths', () => {
    const failingPaths = [{ path: '/moved', status: 404, requests: 60 }];
    expect(found(notFoundSpike, { requests: 400, status4xx: 60, notFound: 60, failingPaths })).toMatchObject([
      { severity: 'warning', details: { current_value: 60, current_share_pct: 15, paths: failingPaths } },
    ]);
  });

  it('is silent about what a scanner asks for', () => {
    const byClient = [clientOf({ requests: 60, probes: 55, notFound: 60, paths: 50 })];
    expect(found(notFoundSpike, { requests: 400, status4xx: 60, notFound: 60, byClient })).toEqual([]);
  });

  it('is silent about less than one in twenty', () => {
    expect(found(notFoundSpike, { requests: 4_000, status4xx: 190, notFound: 190 })).toEqual([]);
  });
});

describe('error_rate', () => {
  it('tells of refusals, which are neither the server’s errors nor pages not found', () => {
    expect(found(errorRate, { requests: 400, status4xx: 90, rejected: 90 })).toMatchObject([
      { severity: 'warning', details: { current_value: 90, current_share_pct: 22.5, rejected: 90 } },
    ]);
  });

  it('is silent where a bot is turned away, and not where one that nobody can verify meets other errors', () => {
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

  it('is silent where a verified crawler alone is refused', () => {
    const byBot = [botOf({ verification: 'verified', requests: 100, rejected: 90 })];
    expect(found(errorRate, { requests: 400, status4xx: 90, rejected: 90, byBot })).toEqual([]);
  });

  it('is silent about twice the usual', () => {
    expect(found(errorRate, { requests: 4_000, status4xx: 160, rejected: 160 })).toEqual([]);
  });

  it('is silent while its causes last', () => {
    expect(errorRate.inhibitedBy).toEqual(expect.arrayContaining(['error_spike_5xx', 'not_found_spike']));
  });
});

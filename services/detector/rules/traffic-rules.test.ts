import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../shared/detection/signal.fixture.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { latencySpike } from './latency-spike.js';
import { logSilence } from './log-silence.js';
import { trafficDrop } from './traffic-drop.js';
import { trafficSpike } from './traffic-spike.js';
import { judgementOf, websiteOf, windowOf } from './view.fixture.js';

const traffic = (value: number, mean: number, std: number) => ({ traffic: { value, mean, std } });

describe('traffic_spike', () => {
  const found = (requests: number, mean: number, std: number) => {
    const window = windowOf({ requests }, { judged: traffic(requests, mean, std) });
    return trafficSpike.find(window, websiteOf(window));
  };

  it('tells how far above the usual the requests are', () => {
    expect(found(2_000, 500, 60)[0]?.details).toMatchObject({
      current_value: 2_000,
      baseline_value: 500,
      deviation_pct: 300,
    });
  });

  it('waits for a second window, but not when the traffic is many times the usual', () => {
    expect(found(900, 500, 60)).toMatchObject([{ isSure: false }]);
    expect(found(2_000, 500, 60)).toMatchObject([{ isSure: true }]);
  });

  it('is silent about less than half more, however steady the website is', () => {
    expect(found(740, 500, 10)).toEqual([]);
  });

  it('is silent about what the website often does', () => {
    expect(found(900, 500, 130)).toEqual([]);
  });

  it('is silent about a few requests more on a website that has nearly none', () => {
    expect(found(50, 2, 1.5)).toEqual([]);
  });

  it('tells of people that machines would hide, and not of as much again', () => {
    const spike = (people: number) => {
      const judged = {
        traffic: { value: 250 + people, mean: 400, std: 40 },
        people: { value: people, mean: 150, std: 25 },
      };
      const window = windowOf({ requests: 250 + people, people }, { judged });
      return trafficSpike.find(window, websiteOf(window));
    };
    expect(spike(330)).toMatchObject([{ details: { current_value: 330, baseline_value: 150 } }]);
    expect(spike(290)).toEqual([]);
  });

  it('shows what was counted in the stretch that it tells of', () => {
    const window = windowOf({ requests: 2_000, people: 1_900 }, { judged: traffic(2_000, 500, 60) });
    const countsSince = (start: number) => ({ ...window.counts, people: start === window.start ? 7 : 0 });
    const [spike] = trafficSpike.find(window, websiteOf(window, { countsSince }));
    expect(spike?.details).toMatchObject({ people: 7 });
  });

  it('is silent about a scraper, who has an alert of its own', () => {
    const byClient = [clientOf({ ip: '192.0.2.9', requests: 1_500, pages: 1_480, paths: 200 })];
    const window = windowOf({ requests: 2_000, byClient }, { judged: traffic(2_000, 500, 60) });
    expect(trafficSpike.find(window, websiteOf(window))).toEqual([]);
  });

  it('judges the hour where a window has too few requests', () => {
    const window = windowOf({ requests: 40 }, { judged: traffic(40, 10, 4) });
    const remainder = { requests: 160, people: 0, errors: 0, notFound: 0, status5xx: 0 };
    const hour = {
      start: window.end - HOUR_MS,
      remainder,
      stretches: [],
      traffic: judgementOf({ value: 160, mean: 40, std: 8 }),
      people: judgementOf({}),
      isDelivered: true,
    };
    expect(trafficSpike.find(window, websiteOf(window, { hour }))).toMatchObject([
      { details: { current_value: 160, window_minutes: 60 } },
    ]);
  });
});

describe('traffic_drop', () => {
  const found = (requests: number, mean: number, std: number, isDelivered = true) => {
    const window = windowOf({ requests }, { judged: traffic(requests, mean, std), isDelivered });
    return trafficDrop.find(window, websiteOf(window));
  };

  it('tells how much is missing', () => {
    expect(found(240, 500, 60)).toMatchObject([
      { isSure: false, details: { current_value: 240, baseline_value: 500, deviation_pct: -52 } },
    ]);
    expect(found(100, 500, 60)).toMatchObject([{ isSure: true }]);
  });

  it('tells that people stay away where machines come on', () => {
    const drop = (people: number) => {
      const judged = {
        traffic: { value: 250 + people, mean: 400, std: 40 },
        people: { value: people, mean: 150, std: 25 },
      };
      const window = windowOf({ requests: 250 + people, people }, { judged });
      return trafficDrop.find(window, websiteOf(window));
    };
    expect(drop(40)).toMatchObject([{ details: { current_value: 40, baseline_value: 150 } }]);
    expect(drop(75)).toEqual([]);
  });

  it('is silent about an hour whose drop is over', () => {
    const inHour = (requests: number) => {
      const window = windowOf({ requests }, { judged: traffic(requests, 500, 60) });
      const website = websiteOf(window);
      const hourly = judgementOf({ value: 900, mean: 2_000, std: 240 });
      const start = window.end - HOUR_MS;
      return trafficDrop.find(window, { ...website, hour: { ...website.hour, start, traffic: hourly } });
    };
    expect(inHour(300)).toMatchObject([{ details: { window_minutes: 60 } }]);
    expect(inHour(480)).toEqual([]);
  });

  it('is silent while logs are still to come', () => {
    expect(found(100, 500, 60, false)).toEqual([]);
  });

  it('is silent about less than half less, and about what chance takes from few', () => {
    expect(found(260, 500, 20)).toEqual([]);
    expect(found(5, 40, 6)).toEqual([]);
  });
});

describe('log_silence', () => {
  const LAST = Date.UTC(2026, 9, 6, 11, 28);
  const found = (lengthMs: number, expected: number, usualMs = 0) => {
    const window = windowOf({});
    return logSilence.find(
      window,
      websiteOf(window, { silence: { lengthMs, lastLogAt: LAST, expected, usualMs } }),
    );
  };

  it('tells since when there were no logs, and what is missing', () => {
    expect(found(30 * MINUTE_MS, 400)).toMatchObject([
      {
        severity: 'critical',
        details: { silent_minutes: 30, last_log_at: '2026-10-06T11:28:00.000Z', baseline_value: 400 },
      },
    ]);
  });

  it('is silent about a quarter of an hour, and about a website that has few requests at night', () => {
    expect(found(15 * MINUTE_MS, 400)).toEqual([]);
    expect(found(3 * HOUR_MS, 20)).toEqual([]);
  });

  it('is silent about the pauses between uploads by the hour', () => {
    expect(found(65 * MINUTE_MS, 900, 60 * MINUTE_MS)).toEqual([]);
    expect(found(95 * MINUTE_MS, 900, 60 * MINUTE_MS)).toHaveLength(1);
  });
});

describe('latency_spike', () => {
  const found = (value: number, mean: number, std: number, timed = 500) => {
    const window = windowOf({ timed, requests: timed }, { judged: { latency: { value, mean, std } } });
    return latencySpike.find(window, websiteOf(window));
  };

  it('tells how long answers take', () => {
    expect(found(600, 200, 30)).toMatchObject([
      { details: { current_value: 600, baseline_value: 200, deviation_pct: 200, unit: 'ms' } },
    ]);
  });

  it('is silent about what nobody notices, about half as much again less a bit, and about a few slow requests', () => {
    expect(found(60, 20, 3)).toEqual([]);
    expect(found(290, 200, 10)).toEqual([]);
    expect(found(600, 200, 30, 20)).toEqual([]);
  });
});

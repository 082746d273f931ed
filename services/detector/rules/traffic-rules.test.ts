import { describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { clientOf } from '../../../test/harness/detector/counts.js';
import { END, judgementOf, stretchOf, websiteOf, windowOf } from '../../../test/harness/detector/view.js';
import { NOVEL } from '../gauges/gauge.js';
import { latencySpike } from './latency-spike.js';
import { logSilence } from './log-silence.js';
import { trafficDrop } from './traffic-drop.js';
import { trafficSpike } from './traffic-spike.js';

const traffic = (value: number, mean: number, std: number) => ({ traffic: { value, mean, std } });

const lasting = { minutes: 30 };
const machines = 250;
/** What people bring beside machines that never change. */
const amongMachines = (people: number) => {
  const judged = {
    traffic: { value: machines + people, mean: machines + 150, std: 40 },
    people: { value: people, mean: 150, std: 25 },
  };
  return windowOf({ requests: machines + people, people }, { ...lasting, judged });
};

describe('traffic_spike', () => {
  const found = (requests: number, mean: number, std: number, minutes = 30, lately = 1) => {
    const window = windowOf({ requests }, { minutes, judged: traffic(requests, mean, std) });
    return trafficSpike.find(window, websiteOf(window, { lately: { requests: lately, people: lately } }));
  };

  it('tells how far above the usual the requests are', () => {
    expect(found(2_000, 500, 60)[0]?.details).toMatchObject({
      current_value: 2_000,
      baseline_value: 500,
      deviation_pct: 300,
    });
  });

  it('waits until it lasts, but not when the traffic is many times the usual', () => {
    expect(found(900, 500, 60)).toHaveLength(1);
    expect(found(900, 500, 60, 15)).toEqual([]);
    expect(found(2_000, 500, 60, 15)).toHaveLength(1);
  });

  it('is silent about less than half more, however steady the website is', () => {
    expect(found(740, 500, 10)).toEqual([]);
  });

  it('is silent about what the website often does', () => {
    expect(found(900, 500, 130)).toHaveLength(0);
  });

  it('is silent about what is usual on a day that is busy as it is', () => {
    expect(found(900, 500, 60, 30, 1.3)).toEqual([]);
    expect(found(900, 500, 60, 30, 0.7)).toHaveLength(1);
  });

  it('is silent about a few requests more on a website that has nearly none', () => {
    expect(found(50, 2, 1.5)).toEqual([]);
  });

  it('tells of requests at an hour at which none ever come', () => {
    expect(found(400, 0, 1)).toHaveLength(1);
  });

  it('tells of people that machines would hide, and not of as much again', () => {
    const spike = (people: number) => {
      const window = amongMachines(people);
      return trafficSpike.find(window, websiteOf(window));
    };
    expect(spike(300)).toMatchObject([{ details: { current_value: 300, baseline_value: 150 } }]);
    expect(spike(250)).toEqual([]);
  });

  it('shows what was counted in the stretch that it tells of', () => {
    const window = windowOf({ requests: 2_000, people: 1_900 }, { judged: traffic(2_000, 500, 60) });
    const [spike] = trafficSpike.find(window, websiteOf(window));
    expect(spike?.evidence?.since).toBe(window.start);
    expect(spike?.evidence?.show({ ...window.counts, people: 7 }).details).toMatchObject({ people: 7 });
  });

  it('is silent about a scraper, who has an alert of its own', () => {
    const byClient = [clientOf({ ip: '192.0.2.9', requests: 1_500, pages: 1_480, paths: 200 })];
    const window = windowOf({ requests: 2_000, byClient }, { ...lasting, judged: traffic(2_000, 500, 60) });
    expect(trafficSpike.find(window, websiteOf(window))).toEqual([]);
  });

  it('judges the hour where a window has too few requests', () => {
    const window = windowOf({ requests: 40 }, { judged: traffic(40, 10, 4) });
    const hour = stretchOf(window, {
      start: window.end - HOUR_MS,
      remainder: { ...window.remainder, requests: 160 },
      traffic: judgementOf({ value: 160, mean: 40, std: 8 }),
    });
    const stretches = [stretchOf(window), hour];
    expect(trafficSpike.find(window, websiteOf(window, { stretches }))).toMatchObject([
      { details: { current_value: 160, window_minutes: 60 } },
    ]);
  });
});

describe('traffic_drop', () => {
  const found = (
    requests: number,
    given: { mean?: number; std?: number; minutes?: number; lately?: number },
  ) => {
    const { mean = 500, std = 60, minutes = 30, lately = 1 } = given;
    const window = windowOf({ requests }, { minutes, judged: traffic(requests, mean, std) });
    return trafficDrop.find(window, websiteOf(window, { lately: { requests: lately, people: lately } }));
  };

  it('tells how much is missing', () => {
    expect(found(240, {})).toMatchObject([
      { details: { current_value: 240, baseline_value: 500, deviation_pct: -52 } },
    ]);
  });

  it('waits until it lasts, but not when hardly anything is left', () => {
    expect(found(240, { minutes: 15 })).toEqual([]);
    expect(found(100, { minutes: 15 })).toHaveLength(1);
  });

  it('is silent about what is usual on a day that is quiet as it is', () => {
    expect(found(240, { lately: 0.75 })).toEqual([]);
    expect(found(240, { lately: 1.3 })).toHaveLength(1);
  });

  it('tells that people stay away where machines come on', () => {
    const drop = (people: number) => {
      const window = amongMachines(people);
      return trafficDrop.find(window, websiteOf(window));
    };
    expect(drop(40)).toMatchObject([{ details: { current_value: 40, baseline_value: 150 } }]);
    expect(drop(75)).toEqual([]);
  });

  it('is silent about an hour whose drop is over', () => {
    const inHour = (requests: number) => {
      const window = windowOf({ requests }, { judged: traffic(requests, 500, 60) });
      const hourly = judgementOf({ value: 900, mean: 2_000, std: 240 });
      const hour = stretchOf(window, { start: window.end - HOUR_MS, traffic: hourly });
      return trafficDrop.find(window, websiteOf(window, { stretches: [stretchOf(window), hour] }));
    };
    expect(inHour(300)).toMatchObject([{ details: { window_minutes: 60 } }]);
    expect(inHour(480)).toEqual([]);
  });

  it('is silent while logs are still to come', () => {
    const window = windowOf({ requests: 100 }, { judged: traffic(100, 500, 60), isDelivered: false });
    expect(trafficDrop.find(window, websiteOf(window))).toEqual([]);
  });

  it('is silent about a little less than half less, and about what chance takes from few', () => {
    expect(found(280, { std: 20 })).toEqual([]);
    expect(found(5, { mean: 40, std: 6 })).toEqual([]);
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
  const found = (value: number, mean: number, std: number, timed = 500, novelty = 0) => {
    const window = windowOf({ timed, requests: timed }, { judged: { latency: { value, mean, std } } });
    return latencySpike.find(window, websiteOf(window, { noveltySince: () => novelty }));
  };

  it('tells how long answers take', () => {
    expect(found(600, 200, 30)).toMatchObject([
      {
        details: {
          ...{ current_value: 600, baseline_value: 200, deviation_pct: 200, unit: 'ms' },
          window_minutes: 15,
        },
      },
    ]);
  });

  it('is silent about what nobody notices, about half as much again less a bit, and about a few slow requests', () => {
    expect(found(60, 20, 3)).toEqual([]);
    expect(found(290, 200, 10)).toEqual([]);
    expect(found(600, 200, 30, 14)).toEqual([]);
  });

  it('tells what is new where hours vary too much for it to be far off, in the same bounds', () => {
    expect(found(400, 200, 100)).toEqual([]);
    expect(found(400, 200, 100, 500, NOVEL)).toHaveLength(1);
    expect(found(290, 200, 100, 500, NOVEL)).toEqual([]);
  });

  it('looks for news in its newest window and the two before', () => {
    const window = windowOf(
      { timed: 500, requests: 500 },
      { judged: { latency: { value: 400, mean: 200, std: 100 } } },
    );
    const since = vi.fn(() => 0);
    latencySpike.find(window, websiteOf(window, { noveltySince: since }));
    expect(since).toHaveBeenCalledWith(END - 45 * MINUTE_MS);
  });
});

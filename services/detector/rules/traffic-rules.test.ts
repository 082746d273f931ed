import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { clientOf } from '../../../test/harness/detector/counts.js';
import { END, judgementOf, stretchOf, websiteOf, windowOf } from '../../../test/harness/detector/view.js';
import { logSilence } from './log-silence.js';
import { trafficDrop } from './traffic-drop.js';
import { trafficSpike } from './traffic-spike.js';

/** Counts with requests of people only. */
const traffic = (value: number, mean: number, std: number) => ({
  traffic: { value, mean, std },
  people: { value, mean, std },
});

const lasting = { minutes: 30 };
const machines = 250;
/** Requests of people beside machines that never change. */
const amongMachines = (people: number) => {
  const judged = {
    traffic: { value: machines + people, mean: machines + 150, std: 40 },
    people: { value: people, mean: 150, std: 25 },
  };
  return windowOf({ requests: machines + people, people }, { ...lasting, judged });
};

describe('traffic_spike', () => {
  const found = (requests: number, mean: number, std: number, minutes = 30, lately = 1) => {
    const window = windowOf(
      { requests, people: requests },
      { minutes, judged: traffic(requests, mean, std) },
    );
    return trafficSpike.find(window, websiteOf(window, { lately: { requests: lately, people: lately } }));
  };

  it('reports how far the requests are above the usual', () => {
    expect(found(2_000, 500, 60)[0]?.details).toMatchObject({
      current_value: 2_000,
      baseline_value: 500,
      deviation_pct: 300,
    });
  });

  it('waits for 20 minutes, unless the traffic is many times the usual', () => {
    expect(found(900, 500, 60)).toHaveLength(1);
    expect(found(900, 500, 60, 15)).toEqual([]);
    expect(found(2_000, 500, 60, 15)).toHaveLength(1);
  });

  it('ignores half as many requests more, even on a very steady website', () => {
    expect(found(740, 500, 10)).toEqual([]);
  });

  it('ignores the website’s usual variation', () => {
    expect(found(900, 500, 130)).toHaveLength(0);
  });

  it('compares with a busy day if the day is busy', () => {
    expect(found(900, 500, 60, 30, 1.3)).toEqual([]);
    expect(found(900, 500, 60, 30, 0.7)).toHaveLength(1);
  });

  it('compares with a usual day if the day before was quiet', () => {
    const window = windowOf({ requests: 900, people: 900 }, { ...lasting, judged: traffic(900, 500, 60) });
    const spike = (level: number) =>
      trafficSpike.find(window, websiteOf(window, { level: { requests: level, people: level } }));
    expect(spike(0.75)).toEqual([]);
    expect(spike(0.95)).toHaveLength(1);
  });

  it('ignores a few requests on a website that has nearly none', () => {
    expect(found(50, 2, 1.5)).toEqual([]);
  });

  it('reports requests at an hour that usually has none', () => {
    expect(found(400, 0, 1)).toHaveLength(1);
  });

  it('reports twice as many people among machines, but not 1.7 times as many', () => {
    const spike = (people: number) => {
      const window = amongMachines(people);
      return trafficSpike.find(window, websiteOf(window));
    };
    expect(spike(300)).toMatchObject([{ details: { current_value: 300, baseline_value: 150 } }]);
    expect(spike(250)).toEqual([]);
  });

  describe('caused by machines', () => {
    /** 40 requests of people in a quarter of an hour, as usual, and those of a crawler. */
    const bout = (ofCrawler: number, busiestHour = 800) => {
      const requests = 40 + ofCrawler;
      const judged = {
        traffic: { value: requests, mean: 45, std: 8 },
        people: { value: 40, mean: 40, std: 8 },
      };
      const window = windowOf({ requests, people: 40, bots: ofCrawler }, { judged });
      return trafficSpike.find(window, websiteOf(window, { busiestHour }));
    };

    it('ignores a crawler’s bout of less than one request a second', () => {
      expect(bout(400)).toEqual([]);
      expect(bout(900)).toHaveLength(1);
    });

    it('ignores a bout below the rate of the website’s busiest usual hour', () => {
      expect(bout(900, 6_000)).toEqual([]);
      expect(bout(1_600, 6_000)).toHaveLength(1);
    });
  });

  it('ignores refused requests of people, which error_rate reports', () => {
    const found = (rejected: number) => {
      const counts = { requests: 300, people: 300, status4xx: rejected, rejected };
      const window = windowOf(counts, { ...lasting, judged: traffic(300, 100, 15) });
      return trafficSpike.find(window, websiteOf(window));
    };
    expect(found(0)).toHaveLength(1);
    expect(found(190)).toEqual([]);
  });

  it('takes its evidence from the reported stretch', () => {
    const window = windowOf({ requests: 2_000, people: 1_900 }, { judged: traffic(2_000, 500, 60) });
    const [spike] = trafficSpike.find(window, websiteOf(window));
    expect(spike?.evidence?.since).toBe(window.start);
    expect(spike?.evidence?.show({ ...window.counts, people: 7 }).details).toMatchObject({ people: 7 });
  });

  it('ignores a scraper, which has its own alert', () => {
    const byClient = [clientOf({ ip: '192.0.2.9', requests: 1_500, pages: 1_480, paths: 200 })];
    const window = windowOf(
      { requests: 2_000, people: 2_000, byClient },
      { ...lasting, judged: traffic(2_000, 500, 60) },
    );
    expect(trafficSpike.find(window, websiteOf(window))).toEqual([]);
  });

  it('looks at the whole hour if a window has too few requests', () => {
    const window = windowOf({ requests: 40, people: 40 }, { judged: traffic(40, 10, 4) });
    const hourly = judgementOf({ value: 160, mean: 40, std: 8 });
    const hour = stretchOf(window, {
      start: window.end - HOUR_MS,
      remainder: { ...window.remainder, requests: 160, people: 160 },
      traffic: hourly,
      people: hourly,
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

  it('reports how much is missing', () => {
    expect(found(240, {})).toMatchObject([
      { details: { current_value: 240, baseline_value: 500, deviation_pct: -52 } },
    ]);
  });

  it('waits for 20 minutes, unless hardly anything is left', () => {
    expect(found(240, { minutes: 15 })).toEqual([]);
    expect(found(100, { minutes: 15 })).toHaveLength(1);
  });

  it('compares with a quiet day if the day is quiet', () => {
    expect(found(240, { lately: 0.75 })).toEqual([]);
    expect(found(240, { lately: 1.3 })).toHaveLength(1);
  });

  it('reports that people stay away while machines keep coming', () => {
    const drop = (people: number) => {
      const window = amongMachines(people);
      return trafficDrop.find(window, websiteOf(window));
    };
    expect(drop(40)).toMatchObject([{ details: { current_value: 40, baseline_value: 150 } }]);
    expect(drop(75)).toEqual([]);
  });

  it('ignores a drop that is over in the newest window', () => {
    const inHour = (requests: number) => {
      const window = windowOf({ requests }, { judged: traffic(requests, 500, 60) });
      const hourly = judgementOf({ value: 900, mean: 2_000, std: 240 });
      const hour = stretchOf(window, { start: window.end - HOUR_MS, traffic: hourly });
      return trafficDrop.find(window, websiteOf(window, { stretches: [stretchOf(window), hour] }));
    };
    expect(inHour(300)).toMatchObject([{ details: { window_minutes: 60 } }]);
    expect(inHour(480)).toEqual([]);
  });

  it('ignores windows whose logs are not delivered yet', () => {
    const window = windowOf({ requests: 100 }, { judged: traffic(100, 500, 60), isDelivered: false });
    expect(trafficDrop.find(window, websiteOf(window))).toEqual([]);
  });

  it('ignores a drop to 56 %, and drops of few requests', () => {
    expect(found(280, { std: 20 })).toEqual([]);
    expect(found(5, { mean: 40, std: 6 })).toEqual([]);
  });
});

describe('log_silence', () => {
  const LAST = Date.UTC(2026, 9, 6, 11, 28);
  const found = (lengthMs: number, expected: number, usualMs = 0, firstLogAt = END - 30 * DAY_MS) => {
    const silence = { lengthMs, lastLogAt: LAST, expected, usualMs, longestMs: usualMs };
    const window = windowOf({});
    return logSilence.find(window, websiteOf(window, { firstLogAt, silence }));
  };

  it('reports since when there are no logs, and how many requests are missing', () => {
    expect(found(30 * MINUTE_MS, 400)).toMatchObject([
      {
        severity: 'critical',
        details: { silent_minutes: 30, last_log_at: '2026-10-06T11:28:00.000Z', baseline_value: 400 },
      },
    ]);
  });

  it('ignores a quarter of an hour, and a silence in which few requests are expected', () => {
    expect(found(15 * MINUTE_MS, 400)).toEqual([]);
    expect(found(3 * HOUR_MS, 20)).toEqual([]);
  });

  it('compares with the longest usual silence', () => {
    expect(found(65 * MINUTE_MS, 900, 60 * MINUTE_MS)).toEqual([]);
    expect(found(95 * MINUTE_MS, 900, 60 * MINUTE_MS)).toHaveLength(1);
  });

  it('needs three times the longest silence in a website’s first week', () => {
    const young = END - 4 * DAY_MS;
    expect(found(20 * HOUR_MS, 900, 10 * HOUR_MS, young)).toEqual([]);
    expect(found(30 * HOUR_MS, 900, 10 * HOUR_MS, young)).toHaveLength(1);
    expect(found(20 * MINUTE_MS, 900, 0, young)).toHaveLength(1);
  });

  it('ignores a single silence after the first week, which was an incident', () => {
    const window = windowOf({});
    const silence = {
      lengthMs: 30 * MINUTE_MS,
      lastLogAt: LAST,
      expected: 400,
      usualMs: 0,
      longestMs: 5 * HOUR_MS,
    };
    expect(logSilence.find(window, websiteOf(window, { silence }))).toHaveLength(1);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../../shared/durations.js';
import { END, websiteOf, windowOf } from '../../../test/harness/detector/view.js';
import { NOVEL } from '../gauges/gauge.js';
import { latencySpike } from './latency-spike.js';

describe('latency_spike', () => {
  it('ignores a crawler’s bout among few people: it requests other pages', () => {
    const found = (people: number) => {
      const judged = {
        latency: { value: 600, mean: 200, std: 30 },
        traffic: { value: 100, mean: 50, std: 8 },
        people: { value: people, mean: 40, std: 8 },
      };
      const window = windowOf({ timed: 100, requests: 100, people }, { judged });
      return latencySpike.find(window, websiteOf(window));
    };
    expect(found(30)).toEqual([]);
    expect(found(80)).toHaveLength(1);
  });

  const found = (value: number, mean: number, std: number, timed = 500, novelty = 0) => {
    const window = windowOf(
      { timed, requests: timed, people: timed },
      { judged: { latency: { value, mean, std } } },
    );
    return latencySpike.find(window, websiteOf(window, { noveltySince: () => novelty }));
  };

  it('reports how long responses take', () => {
    expect(found(600, 200, 30)).toMatchObject([
      {
        details: {
          ...{ current_value: 600, baseline_value: 200, deviation_pct: 200, unit: 'ms' },
          window_minutes: 15,
        },
      },
    ]);
  });

  it('ignores an excess below 50 ms, less than 1.5 times the usual, and fewer than 15 timed requests', () => {
    expect(found(60, 20, 3)).toEqual([]);
    expect(found(290, 200, 10)).toEqual([]);
    expect(found(600, 200, 30, 14)).toEqual([]);
  });

  it('reports a new level, within the same bounds, if hours vary too much for a deviation', () => {
    expect(found(400, 200, 100)).toEqual([]);
    expect(found(400, 200, 100, 500, NOVEL)).toHaveLength(1);
    expect(found(290, 200, 100, 500, NOVEL)).toEqual([]);
  });

  it('looks for a new level in the newest three windows', () => {
    const window = windowOf(
      { timed: 500, requests: 500, people: 500 },
      { judged: { latency: { value: 400, mean: 200, std: 100 } } },
    );
    const since = vi.fn(() => 0);
    latencySpike.find(window, websiteOf(window, { noveltySince: since }));
    expect(since).toHaveBeenCalledWith(END - 45 * MINUTE_MS);
  });
});

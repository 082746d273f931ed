import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { lagOf } from '../../../shared/event-log/lag.js';
import { createEnricherMetrics } from './enricher-metrics.js';

const log = {
  offsets: async () =>
    new Map([
      [0, { oldest: 0, next: 10 }],
      [1, { oldest: 0, next: 7 }],
      [2, { oldest: 5, next: 9 }],
      [3, { oldest: 0, next: 4 }],
    ]),
  committed: async () =>
    new Map([
      [0, { offset: 8, metadata: '' }],
      [2, { offset: 1, metadata: '' }],
      [3, { offset: 6, metadata: '' }],
    ]),
};

it('counts the lag of every partition, including those without an owner or a commit', async () => {
  const lags = await lagOf(log, 'requests.raw', 'enricher');
  expect([...lags].map(([partition, { records }]) => [partition, records])).toEqual([
    [0, 2],
    [1, 7],
    // Records that retention deleted do not count.
    [2, 4],
    // A log that lost its tail.
    [3, 0],
  ]);
});

it('exports the lag by partition, even while the log is unavailable, and whether this enricher owns the partition', async () => {
  const registry = new Registry();
  let away = false;
  const read = async () => {
    if (away) throw new Error('no broker answers');
    return lagOf(log, 'requests.raw', 'enricher');
  };
  const own = new Set([0]);
  createEnricherMetrics(
    registry,
    read,
    () => own,
    () => 0,
  );
  for (away of [false, true]) {
    const text = await registry.metrics();
    expect(text).toContain('loglane_enricher_lag_records{partition="1"} 7');
    expect(text).toMatch(/loglane_enricher_lag_seconds\{partition="1"\} \d/);
    expect(text).toMatch(/loglane_enricher_lag_age_seconds \d/);
    expect(text).toContain('loglane_enricher_partition_owned{partition="0"} 1');
    expect(text).toContain('loglane_enricher_partition_owned{partition="1"} 0');
  }
});

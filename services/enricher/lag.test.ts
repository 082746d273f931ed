import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { lagOf } from './lag.js';
import { createEnricherMetrics } from './metrics.js';

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
} as unknown as EventLog;

it('counts what waits in every partition, those that nobody owns or committed included', async () => {
  expect(await lagOf(log, 'enricher', [0, 2])).toEqual(
    new Map([
      [0, { records: 2, owned: true }],
      [1, { records: 7, owned: false }],
      // What was deleted by age waits for nobody.
      [2, { records: 4, owned: true }],
      // A log that lost its tail.
      [3, { records: 0, owned: false }],
    ]),
  );
});

it('exports it by partition, and beside it whether this enricher owns the partition', async () => {
  const registry = new Registry();
  createEnricherMetrics(
    registry,
    () => lagOf(log, 'enricher', [0]),
    () => 0,
  );
  const text = await registry.metrics();
  expect(text).toContain('loglane_enricher_lag_records{partition="1"} 7');
  expect(text).toContain('loglane_enricher_partition_owned{partition="0"} 1');
  expect(text).toContain('loglane_enricher_partition_owned{partition="1"} 0');
});

import { describe, expect, it } from 'vitest';
import type { MetricName } from '../sql/metrics.js';
import { stateColumnOf } from './state-columns.js';
import { UnknownStateError } from './state-fold.js';

const read = (metric: MetricName, ...states: readonly Uint8Array[]) =>
  stateColumnOf(
    metric,
    Buffer.concat(states).toString('base64'),
    states.map(({ length }) => length),
  );
const hash = [1, 2, 3, 4, 5, 6, 7, 8];
const dense = Buffer.alloc(12_320, 0x41).fill(3, 0, 1);
/** A float and its number. */
const entry = [0x20, 0x44, 9, 0, 0, 0, 0, 0, 0, 0];

describe('states of the engine', () => {
  it.each<[MetricName, Uint8Array]>([
    ['client_ips', Uint8Array.of(1, 0)],
    ['client_ips', Uint8Array.of(2, 1, ...hash)],
    ['client_ips', dense],
    ['time_quantiles', Uint8Array.of(0)],
    ['time_quantiles', Uint8Array.of(1, 1, ...entry)],
  ])('of %s are known, form %#', (metric, state) => {
    expect(read(metric, state, state).starts.length).toBe(3);
  });

  it.each<[MetricName, Uint8Array]>([
    ['client_ips', Uint8Array.of()],
    ['client_ips', Uint8Array.of(0)],
    ['client_ips', Uint8Array.of(4, 1, 0, 3)],
    ['client_ips', Uint8Array.of(255, 1, 0, 3)],
    ['client_ips', Uint8Array.of(1)],
    ['client_ips', Uint8Array.of(1, 255, 255, 255)],
    ['client_ips', Uint8Array.of(2, 2, ...hash)],
    ['client_ips', Uint8Array.of(2, 1, ...hash, 0)],
    ['client_ips', dense.subarray(0, 12_000)],
    ['client_ips', Buffer.alloc(12_320, 0xff).fill(3, 0, 1)],
    ['time_quantiles', Uint8Array.of(0, 0)],
    ['time_quantiles', Uint8Array.of(1)],
    ['time_quantiles', Uint8Array.of(1, 255)],
    ['time_quantiles', Uint8Array.of(1, 2, ...entry)],
    ['time_quantiles', Uint8Array.of(1, 1, 0, 0xff, ...entry.slice(2))],
  ])('of %s are refused in another form, %#', (metric, state) => {
    expect(() => read(metric, state)).toThrow(UnknownStateError);
  });

  it.each([[[-1, 11]], [[0.5, 9.5]], [[10, 10]], [[5]], [[]], [[Number.MAX_VALUE]]])(
    'are refused with the lengths %j',
    (lengths) => {
      const encoded = Buffer.of(2, 1, ...hash).toString('base64');
      expect(() => stateColumnOf('client_ips', encoded, lengths)).toThrow(UnknownStateError);
    },
  );
});

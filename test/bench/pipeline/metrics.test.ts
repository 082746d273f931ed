import { expect, it } from 'vitest';
import { sumOfSamples } from './metrics.js';

const text = [
  '# HELP rows_total Rows',
  '# TYPE rows_total counter',
  'rows_total 12',
  'rows_total_more 1000',
  'reads_total{name="a b",kind="x"} 3',
  'reads_total{name="c"} 4.5',
].join('\n');

it('sums the samples of one metric, with and without labels, and no other metric', () => {
  expect(sumOfSamples(text, 'rows_total')).toBe(12);
  expect(sumOfSamples(text, 'reads_total')).toBe(7.5);
  expect(sumOfSamples(text, 'reads')).toBe(0);
});

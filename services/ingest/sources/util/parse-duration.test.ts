import { describe, expect, it } from 'vitest';
import { parseDuration } from './parse-duration.js';

describe('a duration with units', () => {
  it.each([
    ['0s', 0],
    ['17.557019ms', 18],
    ['250\u00b5s', 0],
    ['724.332\u03bcs', 1],
    ['1500us', 2],
    ['2000000ns', 2],
    ['0.25s', 250],
    ['12 ms', 12],
    ['1m2.25s', 62_250],
    ['1h0m0s', 3_600_000],
  ])('%s is %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '12', 'ms', '-5ms', '1.ms', '.5s', '1s2', '1x', '1s ', '1 day', `${'1s'.repeat(30)}`])(
    '%j is none',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});

import { expect, it } from 'vitest';
import { cpuOf, enginePartOf, parseCpu } from './process-cpu.js';

it('finds user and system time after a name with blanks and parentheses', () => {
  const stat = '4711 (a (b) c) S 1 4711 4711 0 -1 4194560 100 200 0 0 1234 567 8 9 20 0 11 0 100 200 300';
  expect(parseCpu(stat)).toEqual({ user: 12.34, system: 5.67 });
});

it('returns NaN for a process that has ended', () => {
  expect(cpuOf(2 ** 30)).toEqual({ user: Number.NaN, system: Number.NaN });
});

it("distinguishes merges, upkeep, HTTP and statements by the threads' names", () => {
  const named = ['MergeMutate', 'BgSchPool', 'PoolDelayExec', 'Unknown', 'ThreadPool', 'node'];
  expect(named.map((name) => enginePartOf(name, false))).toEqual([
    'merges',
    'upkeep',
    'upkeep',
    'statements',
    'statements',
    'statements',
  ]);
  expect(enginePartOf('loglane-clickho', true)).toBe('HTTP');
});

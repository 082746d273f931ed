import { describe, expect, it } from 'vitest';
import { createCalls, DAYS, inRotation, type Mode, startOfTraffic } from './calls.js';
import type { BenchedRead } from './catalogue.js';

const NOW = Date.parse('2026-11-28T18:40:30Z');
const WEBSITES = 3;

const bounded = (name: string): BenchedRead => ({ name, window: 'bounds' });

function take(mode: Mode, read: BenchedRead, hours: number, count: number) {
  const next = createCalls(WEBSITES, NOW).of(mode, read, hours);
  return Array.from({ length: count }, next);
}

describe.each([24, 168])('cold windows of %i hours', (hours) => {
  const calls = take('cold', bounded('traffic'), hours, 900);

  it('are all different', () => {
    expect(new Set(calls.map(({ website, path }) => `${website} ${path}`)).size).toBe(calls.length);
  });

  it('lie in the traffic, with the windows before them', () => {
    for (const { path } of calls) {
      const query = new URLSearchParams(path.slice(path.indexOf('?')));
      const [start, end] = ['start', 'end'].map((name) => Date.parse(query.get(name)!)) as [number, number];
      expect(end).toBeLessThanOrEqual(NOW);
      expect(start - (end - start)).toBeGreaterThan(startOfTraffic(NOW) - 3_600_000);
      expect((end - start) / 3_600_000).toBeGreaterThan((hours * 3) / 4);
      expect((end - start) / 3_600_000).toBeLessThanOrEqual(hours);
    }
  });
});

it('continues with new windows in the next run', () => {
  const calls = createCalls(1, NOW);
  expect(calls.of('cold', bounded('bots'), 24)()).not.toEqual(calls.of('cold', bounded('bots'), 24)());
});

it('alternates the websites of rolling windows, and repeats one call of a warm one', () => {
  expect(take('rolling', bounded('url?path=/'), 24, 4).map(({ website }) => website)).toEqual([0, 1, 2, 0]);
  expect(take('rolling', bounded('url?path=/'), 24, 1)[0]!.path).toBe('/url?path=/&hours=24');
  expect(new Set(take('warm', bounded('paths'), 24, 4).map(({ website }) => website)).size).toBe(1);
});

it('asks reads without a window as they are', () => {
  expect(take('cold', { name: 'setup', window: 'fixed' }, 24, 1)[0]!.path).toBe('/setup');
  expect(DAYS).toBeGreaterThanOrEqual(14);
});

it('asks reads without bounds for other lengths', () => {
  const paths = take('cold', { name: 'seo/index-coverage', window: 'hours' }, 24, 6).map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set(['/seo/index-coverage?hours=168', '/seo/index-coverage?hours=167']));
});

it('rotates sources', () => {
  const source = (website: number) => () => ({ website, path: '/' });
  const next = inRotation([source(1), source(2)]);
  expect([next(), next(), next()].map(({ website }) => website)).toEqual([1, 2, 1]);
});

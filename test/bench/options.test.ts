import { expect, it, vi } from 'vitest';
import { parseOptions, partNames } from './options.js';

const parse = (line: string) => parseOptions(line === '' ? [] : line.split(' '));

it('runs every part by default', () => {
  expect(parse('').only).toEqual(partNames);
});

it('accepts lists of parts, sources and figures, and none', () => {
  const options = parse(
    '--only stages,full --seconds 600 --spread-hours 0.5 --upload-sources cloudflare --grow-rows 0,0.5,100 --grow-enrichers none',
  );
  expect(options).toMatchObject({
    only: ['stages', 'full'],
    seconds: 600,
    spreadHours: 0.5,
    uploadSources: ['cloudflare'],
    growRows: [0, 0.5, 100],
    growEnrichers: [],
  });
});

it.each([
  '--only stage',
  '--source nginx',
  '--seconds 0',
  '--seconds 1.5',
  '--spread-hours 0',
  '--lines many',
  '--grow-rows 1,',
  '--grow-rows -1',
  '--unknown',
])('refuses %s', (line) => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(() => parse(line)).toThrow();
    expect(told).toHaveBeenCalled();
  } finally {
    told.mockRestore();
  }
});

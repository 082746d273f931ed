import { expect, it } from 'vitest';
import { readCorpus } from './corpus.js';
import { fuzzBodies } from './fuzz-bodies.js';

it('crashes on no body made of real ones, and stores no wrong request and no other neighbour of a wrong line', () => {
  // The same bodies each time: `npm run test:fuzz-bodies` tries others.
  const seed = Number(process.env.FUZZ_SEED ?? 14_022_026);
  const { taken, rejected } = fuzzBodies(readCorpus(), 60_000, seed);
  expect(taken).toBeGreaterThan(10_000);
  expect(rejected).toBeGreaterThan(10_000);
});

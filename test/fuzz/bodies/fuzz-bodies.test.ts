import { expect, it } from 'vitest';
import { readCorpus } from './corpus.js';
import { fuzzBodies } from './fuzz-bodies.js';

it('crashes on no body made of real ones, and stores no wrong request and no other neighbour of a wrong line', () => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 32);
  const { taken, rejected } = fuzzBodies(readCorpus(), 60_000, seed);
  expect(taken).toBeGreaterThan(10_000);
  expect(rejected).toBeGreaterThan(10_000);
});

import { expect, it } from 'vitest';
import { runs } from '../../harness/runs.js';
import { readCorpus } from './corpus.js';
import { fuzzBodies } from './fuzz-bodies.js';

it('never crashes on mutated real bodies, stores no wrong request, and keeps the neighbours of a wrong line', () => {
  // The same bodies each time; `npm run test:fuzz-bodies` tries others.
  const seed = Number(process.env.FUZZ_SEED ?? 14_022_026);
  const bodies = runs(60_000);
  const { taken, rejected } = fuzzBodies(readCorpus(), bodies, seed);
  expect(taken).toBeGreaterThan(bodies / 6);
  expect(rejected).toBeGreaterThan(bodies / 6);
});

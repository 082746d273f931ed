import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readCorpus } from './corpus.js';
import { type FuzzResult, fuzzBodies } from './fuzz-bodies.js';

/**
 * `npm run test:fuzz-bodies`: FUZZ_BODIES (default 10 million) wrong bodies through everything up to the log, on
 * FUZZ_THREADS (default 2) threads. FUZZ_SEED makes the same ones again.
 */

/** One report for so many. */
const ROUND = 500_000;

interface Work {
  readonly rounds: readonly number[];
  readonly size: number;
}

if (isMainThread) await fuzzOnThreads();
else fuzzRounds(workerData as Work);

async function fuzzOnThreads(): Promise<void> {
  const bodies = Number(process.env.FUZZ_BODIES ?? 10_000_000);
  const threads = Number(process.env.FUZZ_THREADS ?? 2);
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  const size = Math.min(ROUND, Math.ceil(bodies / threads));
  const rounds = Array.from({ length: Math.ceil(bodies / size) }, (_, round) => seed + round);
  const started = Date.now();
  let done = 0;
  let taken = 0;
  let slowest: Pick<FuzzResult, 'slowestMs' | 'slowest'> = { slowestMs: 0, slowest: '' };
  const ended = Array.from({ length: threads }, (_, thread) => {
    const work: Work = { size, rounds: rounds.filter((_round, index) => index % threads === thread) };
    const worker = new Worker(new URL(import.meta.url), { workerData: work, execArgv: process.execArgv });
    worker.on('message', (result: FuzzResult) => {
      done += result.bodies;
      taken += result.taken;
      if (result.slowestMs > slowest.slowestMs) slowest = result;
      const seconds = ((Date.now() - started) / 1_000).toFixed(0);
      console.log(
        `${done} bodies in ${seconds} s, ${taken} requests taken; slowest ${slowest.slowestMs.toFixed(0)} ms (${slowest.slowest})`,
      );
    });
    return new Promise<void>((resolve, reject) => worker.once('error', reject).once('exit', () => resolve()));
  });
  console.log(`seed ${seed}`);
  await Promise.all(ended);
}

function fuzzRounds({ rounds, size }: Work): void {
  const corpus = readCorpus();
  for (const round of rounds) parentPort!.postMessage(fuzzBodies(corpus, size, round));
}

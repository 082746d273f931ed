import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readCorpus } from './corpus.js';
import { type FuzzResult, fuzzBodies } from './fuzz-bodies.js';

/**
 * `npm run test:fuzz-bodies`: sends FUZZ_BODIES (default 10 million) wrong bodies through all steps before the log, on
 * FUZZ_PROCESSES (default 2) processes. FUZZ_SEED repeats the same bodies.
 */

/** Bodies per report. */
const ROUND = 500_000;

interface Work {
  readonly rounds: readonly number[];
  readonly size: number;
}

const [, , work] = process.argv;
if (work === undefined) await fuzzInProcesses();
else fuzzRounds(JSON.parse(work) as Work);

async function fuzzInProcesses(): Promise<void> {
  const bodies = Number(process.env.FUZZ_BODIES ?? 10_000_000);
  const processes = Number(process.env.FUZZ_PROCESSES ?? 2);
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
  const size = Math.min(ROUND, Math.ceil(bodies / processes));
  const rounds = Array.from({ length: Math.ceil(bodies / size) }, (_, round) => seed + round);
  const started = Date.now();
  let done = 0;
  let taken = 0;
  let slowest: Pick<FuzzResult, 'slowestMs' | 'slowest'> = { slowestMs: 0, slowest: '' };
  const ended = Array.from({ length: processes }, (_, process) => {
    const work: Work = { size, rounds: rounds.filter((_round, index) => index % processes === process) };
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(work)], {
      execArgv: ['--import', 'tsx'],
    });
    child.on('message', (message) => {
      const result = message as FuzzResult;
      done += result.bodies;
      taken += result.taken;
      if (result.slowestMs > slowest.slowestMs) slowest = result;
      const seconds = ((Date.now() - started) / 1_000).toFixed(0);
      console.log(
        `${done} bodies in ${seconds} s, ${taken} requests taken; slowest ${slowest.slowestMs.toFixed(0)} ms (${slowest.slowest})`,
      );
    });
    return new Promise<void>((resolve, reject) =>
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ended with ${code}`)))),
    );
  });
  console.log(`seed ${seed}`);
  await Promise.all(ended);
}

function fuzzRounds({ rounds, size }: Work): void {
  const corpus = readCorpus();
  for (const round of rounds) process.send!(fuzzBodies(corpus, size, round));
}

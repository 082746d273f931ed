import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../shared/durations.js';
import { MOST_IN_STATEMENT } from '../../shared/reads/sql/late-verdicts.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { isNightly } from '../harness/runs.js';
import {
  frequentQuestionsAt,
  pathOfQuestion,
  type Question,
  questionsAt,
  windowedReads,
} from './changing-questions.js';
import { BEGIN, changes, insertExpiring, type Kind, kinds, openRun, type Run } from './changing-run.js';
import { type Replica, scanVerdicts } from './changing-world.js';
import { laterVerdicts } from './random-requests.js';
import { differences } from './same-answer.js';
import { truthWorldOf } from './truth-world.js';

/**
 * Every windowed read, while rows come late, are erased, reclassified and expire, verdicts come, and processes restart or miss
 * changes. An answer of each process equals that of a process without any memory. For most reads this one equals a count
 * over all rows of `requests`.
 */

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 120_000);
afterAll(() => engine?.stop());

/** Compares the answers of all processes with each other and with a count over the rows. */
async function compare(run: Run, questions: readonly Question[], about: string): Promise<number> {
  const { websiteId, writer, follower } = run;
  const processes: readonly Replica[] = [writer, follower];
  const world = truthWorldOf(engine, {
    requests: { [websiteId]: await run.rows() },
    verdicts: await scanVerdicts(engine.clickhouse, websiteId),
    now: run.now(),
    domain: 'www.example.com',
  });
  const fresh = run.fresh();
  let answered = 0;
  for (const question of questions) {
    const path = pathOfQuestion(websiteId, question);
    const truth = await fresh(path);
    if (truth.status === 200) answered += 1;
    if (question.scan !== null && truth.status === 200) {
      const { input, expected } = question.scan;
      const counted = expected(world.truthOf(websiteId, input));
      expect(differences(truth.body, counted), `${about}: ${path}`).toEqual([]);
    }
    for (const { name, ask } of processes)
      expect(await ask(path), `${about}, ${name}: ${path}`).toEqual(truth);
  }
  return answered;
}

const ROWS = 5_200;
/** Questions of a run besides those that follow every change. */
const POOL = 24;
const ASKED = isNightly ? 8 : 3;

/** Changes that remove rows. */
const removing: readonly Kind[] = ['address', 'day', 'expiry'];

const plan = fc.record({
  seed: fc.nat(1_000_000),
  order: fc.shuffledSubarray([...kinds], { minLength: kinds.length }),
  always: frequentQuestionsAt(BEGIN),
  pool: fc.uniqueArray(questionsAt(BEGIN), {
    ...{ minLength: POOL, maxLength: POOL },
    selector: ({ path }) => path,
  }),
});

test('the questions include every windowed read', () => {
  expect(windowedReads.length).toBeGreaterThan(38);
});

test('every read counts the rows that are stored, while they change', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ seed, order, always, pool }) => {
      const run = await openRun(engine, seed);
      await run.insert(run.random(ROWS));
      await insertExpiring(run);
      expect(laterVerdicts(await run.rows()).length).toBeGreaterThan(MOST_IN_STATEMENT);
      run.follower.pass();
      const asked = (step: number) => [
        ...always,
        ...Array.from({ length: ASKED }, (_, index) => pool[(step * ASKED + index) % POOL]!),
      ];
      let answered = await compare(run, asked(0), 'at first');
      for (const [step, kind] of order.entries()) {
        const questions = asked(step + 1);
        // Reads that run during the change may miss it; later ones must not get their answers.
        const before = (await run.rows()).length;
        // A rolling window moves, so that its answer is not in memory.
        run.opened.advance(MINUTE_MS);
        const release = run.holdAnswers();
        const during = questions
          .slice(1, 3)
          .flatMap((one) =>
            [run.writer, run.follower].map(({ ask }) => ask(pathOfQuestion(run.websiteId, one))),
          );
        await changes[kind](run);
        release();
        await Promise.all(during);
        if (removing.includes(kind)) expect((await run.rows()).length).toBeLessThan(before);
        run.opened.advance(1_500);
        run.follower.pass();
        answered += await compare(run, questions, `${order.slice(0, step + 1).join(', ')}`);
      }
      expect(answered).toBeGreaterThan((order.length * ASKED) / 2);
    }),
    { numRuns: isNightly ? 20 : 1, endOnFailure: true, ...(isNightly ? {} : { seed: 50 }) },
  );
}, 3_600_000);

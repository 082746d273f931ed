import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { runs } from '../../../test/harness/runs.js';
import { middleOfBFloat16 } from '../sql/bfloat16.js';
import { createDistinctFold } from './distinct-fold.js';
import { createQuantileFold } from './quantile-fold.js';
import type { StateFold } from './state-fold.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 120_000);
afterAll(() => engine?.stop());

/** The engine's states of some groups of numbers, and its own merge of them. */
async function readStates(params: { values: number; range: number; groups: number }) {
  const [row] = await engine.clickhouse.read({
    name: 'states',
    sql: `SELECT
  groupArray(base64Encode(CAST(s.texts AS String))) AS texts, uniqCombined64Merge(14)(s.texts) AS distinct,
  groupArray(base64Encode(CAST(s.times AS String))) AS times, quantilesBFloat16Merge(0.5, 0.95, 0.99)(s.times) AS cuts
FROM (
  SELECT
    uniqCombined64StateIf(14)(toString(intHash32(number) % {range: UInt32}), number % 7 != 0) AS texts,
    quantilesBFloat16State(0.5, 0.95, 0.99)(if(number % 3 = 0, NULL, intHash32(number) % {range: UInt32})) AS times
  FROM numbers({values: UInt32})
  GROUP BY intHash32(number + 1) % {groups: UInt32}
) AS s`,
    params,
    row: z.object({
      texts: z.array(z.base64()),
      distinct: z.number(),
      times: z.array(z.base64()),
      cuts: z.array(z.number().nullable()),
    }),
  });
  return row!;
}

function foldOf(fold: StateFold, encoded: readonly string[]): { figure: unknown; again: unknown } {
  fold.clear();
  for (const text of encoded) {
    const bytes = Buffer.from(text, 'base64');
    fold.check(bytes, 0, bytes.length);
    fold.add(bytes, 0, bytes.length);
  }
  const figure = fold.figure();
  const merged = fold.merged();
  fold.clear();
  fold.add(merged, 0, merged.length);
  return { figure, again: fold.figure() };
}

const questions = fc.record({
  values: fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 1, max: 2_000 }),
    fc.integer({ min: 1, max: 300_000 }),
  ),
  range: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 520, max: 400_000 })),
  groups: fc.integer({ min: 1, max: 12 }),
});

it('merges states as the engine does, and its own ones again', async () => {
  const distinct = createDistinctFold();
  const quantiles = createQuantileFold();
  for (const question of fc.sample(questions, { numRuns: runs(150), seed: 3 })) {
    const states = await readStates(question);
    const cuts = states.cuts.map((cut) => (cut === null ? null : middleOfBFloat16(cut)));
    // The engine counts 512 values exactly or not, depending on its order.
    if (Math.abs(states.distinct - 512) > 12)
      expect(foldOf(distinct, states.texts), JSON.stringify(question)).toEqual({
        figure: states.distinct,
        again: states.distinct,
      });
    const expected = states.times.length === 0 ? [null, null, null] : cuts;
    expect(foldOf(quantiles, states.times), JSON.stringify(question)).toEqual({
      figure: expected,
      again: expected,
    });
  }
}, 120_000);

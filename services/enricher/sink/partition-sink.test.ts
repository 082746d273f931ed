import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../../shared/requests/range-plan.js';
import {
  createWorld,
  type Fate,
  type Given,
  intervalOf,
  Killed,
  type Life,
  type Step,
  smooth,
  startLife,
  type World,
} from '../../../test/harness/enricher/sink-world.js';

const given = (records: Given['records'], refused: number[] = [], window = 400): Given => ({
  records,
  refused: new Set(refused),
  window,
});

const peaceful = { onStep: () => {}, nextFate: () => smooth };

/** Offsets of records that repeat an earlier one's upload and rows. */
function repeatsOf({ records, uploads = [] }: Given): Set<number> {
  const names = records.map((months, offset) =>
    months === 'undecodable' || (uploads[offset] ?? null) === null ? null : `${uploads[offset]} ${months}`,
  );
  return new Set(names.flatMap((name, at) => (name !== null && names.indexOf(name) < at ? [at] : [])));
}

/**
 * Every good record that is no repeat is in every table once, and its interval was reported on arrival. The
 * others are in the dead letters, and in no table twice.
 */
function expectEveryRecordOnce(world: World) {
  const { records, refused } = world.given;
  const repeats = repeatsOf(world.given);
  const good = records.flatMap((months, offset) =>
    months === 'undecodable' || refused.has(offset)
      ? []
      : [[offset, repeats.has(offset) ? 0 : months.length] as const],
  );
  const bad = records.flatMap((months, offset) =>
    months === 'undecodable' || (refused.has(offset) && months.length > 0) ? [offset] : [],
  );
  for (const { name, offsets } of world.tables) {
    const stored = good.map(([offset]) => [offset, offsets.get(offset) ?? 0]);
    expect([name, stored]).toEqual([name, good.map(([offset, rows]) => [offset, rows])]);
    for (const offset of refused) {
      expect(offsets.get(offset) ?? 0).toBeLessThanOrEqual((records[offset] as readonly number[]).length);
    }
  }
  expect([...world.deadLettered].sort((a, b) => a - b)).toEqual(bad);
  const intervals = good.flatMap(([offset, rows]) => (rows > 0 ? [intervalOf(world.given, offset)] : []));
  expect([...world.arrived].sort()).toEqual([...new Set(intervals)].sort());
  expect(world.arrivedEarly).toEqual(new Set());
}

async function settle(world: World, lives: Life[]) {
  for (const life of lives) life.lose();
  await Promise.all(lives.map((life) => life.sink.stop()));
  while (world.running.size > 0) await Promise.all(world.running);
  expect(lives.flatMap(({ crashes }) => crashes)).toEqual([]);
}

/** Dies at the n-th call of the step. */
function diesAt(step: Step, nth: number) {
  let times = 0;
  return (name: Step) => {
    if (name === step && times++ === nth) throw new Killed(name);
  };
}

const month = [0];
const records: Given['records'] = [
  [0, 0, 1],
  [1],
  'undecodable',
  [0, 1, 2, 2],
  month,
  [3, 3, 3],
  'undecodable',
  [1, 2],
  [0, 1, 2, 3, 4, 5],
];

describe('the partition sink', () => {
  const steps: Step[] = [
    'plan',
    'planned',
    'dead-letter',
    'dead-lettered',
    'insert',
    'inserted',
    'report',
    'reported',
    'done',
    'is done',
  ];
  const deaths = steps.flatMap((step) =>
    [0, 1].flatMap((nth) => [false, true].map((grows) => [step, nth, grows] as const)),
  );
  test.each(deaths)(
    'stores every record once, and dead ones in the dead letters, if it is killed at "%s" (%d; prepared while it grows: %s)',
    async (step, nth, grows) => {
      const world = createWorld(given(records));
      const first = startLife(world, { ...peaceful, maxRows: 5, grows, onStep: diesAt(step, nth) });
      await first.ended;
      const second = startLife(world, { ...peaceful, maxRows: 7, grows });
      await second.ended;
      await settle(world, [first, second]);
      expectEveryRecordOnce(world);
    },
  );

  test("ranges grow with the store's rate", async () => {
    const world = createWorld(given(Array.from({ length: 400 }, () => [0])));
    const life = startLife(world, { ...peaceful, maxRows: 1_000, leastWeight: 2 });
    await life.ended;
    await settle(world, [life]);
    expectEveryRecordOnce(world);
    // At most 200 inserts, if no range grows.
    expect(world.tables[0]?.parts.length).toBeLessThan(100);
  });

  test('a range is running from its plan until it is done', async () => {
    const world = createWorld(given([[0]]));
    const seen: [Step, boolean][] = [];
    const life: Life = startLife(world, {
      ...peaceful,
      maxRows: 5,
      onStep: (step) => seen.push([step, life.sink.plannedAt() !== null]),
    });
    expect(life.sink.plannedAt()).toBeNull();
    await life.ended;
    expect(seen.map(([, isUnderWay]) => isUnderWay)).toEqual(seen.map(() => true));
    expect(life.sink.plannedAt()).toBeNull();
    await settle(world, [life]);
  });

  const repeatSteps: Step[] = [
    'planned',
    'dead-lettered',
    'inserted',
    'remember',
    'remembered',
    'report',
    'reported',
    'done',
    'is done',
  ];
  test.each(repeatSteps.flatMap((step) => [0, 1, 2].map((nth) => [step, nth] as const)))(
    'leaves out repeats of a named upload, and nothing else, if it is killed at "%s" (%d)',
    async (step, nth) => {
      const uploads = ['a', 'a', 'a', 'b', null, 'a', 'b', 'a', null];
      const sent: Given['records'] = [[0], [0], [1], [0], [0], [0], 'undecodable', [1, 2], [0]];
      const world = createWorld({ ...given(sent), uploads });
      expect(repeatsOf(world.given)).toEqual(new Set([1, 5]));
      const first = startLife(world, { ...peaceful, maxRows: 2, onStep: diesAt(step, nth) });
      await first.ended;
      const second = startLife(world, { ...peaceful, maxRows: 3 });
      await second.ended;
      await settle(world, [first, second]);
      expectEveryRecordOnce(world);
    },
  );

  test('waits for a log that accepts no arrivals, and then sends them', async () => {
    const world = createWorld({ ...given(records), arrivalsRefused: 7 });
    const life = startLife(world, { ...peaceful, maxRows: 5 });
    await life.ended;
    await settle(world, [life]);
    expect(world.arrivalsRefused).toBeLessThan(0);
    expectEveryRecordOnce(world);
  });

  test('stores every range and commits it, even if the log never accepts its arrivals', async () => {
    const world = createWorld({ ...given(records), arrivalsRefused: Number.POSITIVE_INFINITY });
    let waits = 0;
    const onStep = (step: Step) => {
      if (step !== 'report') return;
      waits += 1;
      world.now += 10_000;
      if (waits > 1_000) throw new Killed('it waits without end');
    };
    const life = startLife(world, { ...peaceful, maxRows: 2, onStep });
    await life.ended;
    expect(world.committed).toMatchObject({ offset: records.length, metadata: '' });
    expect(world.droppedArrivals).toBeGreaterThan(1);
    expect(life.crashes).toEqual([]);
  });

  test('leaves a range planned on stop if the log does not accept its arrivals', async () => {
    const world = createWorld({ ...given([month]), arrivalsRefused: Number.POSITIVE_INFINITY });
    let reports = 0;
    const onStep = (step: Step) => void (step === 'report' && reports++);
    const life = startLife(world, { ...peaceful, maxRows: 1, onStep });
    while (reports < 3) await tick();
    await life.sink.stop();
    expect(readPlan(world.committed)).toMatchObject({ first: 0, last: 0 });
    expect(life.crashes).toEqual([]);
  });

  test.each([
    { diesAfter: 0, order: [0, 1, 2] },
    { diesAfter: 1, order: [0, 1, 2] },
    { diesAfter: 2, order: [0, 1, 2] },
    { diesAfter: 1, order: [2, 0, 1] },
    { diesAfter: 2, order: [2, 1, 0] },
  ])('finishes an insert that died after $diesAfter tables of $order', async (death) => {
    const world = createWorld(given(records));
    let inserts = 0;
    const nextFate = () => (inserts++ === 1 ? { ...smooth, ...death } : smooth);
    const life = startLife(world, { ...peaceful, maxRows: 5, nextFate });
    await life.ended;
    await settle(world, [life]);
    expectEveryRecordOnce(world);
  });

  describe('if the store refuses records', () => {
    test('moves only these to the dead letters, and stores the rest of their range once, even if a table had all of it', async () => {
      const world = createWorld(given(records, [1, 5, 8]));
      const life = startLife(world, { ...peaceful, maxRows: 100 });
      await life.ended;
      await settle(world, [life]);
      expectEveryRecordOnce(world);
    });

    const refusing: Step[] = [
      'plan',
      'planned',
      'dead-letter',
      'dead-lettered',
      'insert',
      'inserted',
      'refused',
      'report',
      'reported',
      'done',
    ];
    test.each(refusing.flatMap((step) => [1, 4, 9].map((nth) => [step, nth] as const)))(
      'does so if it is killed at "%s" (%d)',
      async (step, nth) => {
        const world = createWorld(given(records, [1, 5]));
        const first = startLife(world, { ...peaceful, maxRows: 100, onStep: diesAt(step, nth) });
        await first.ended;
        const second = startLife(world, { ...peaceful, maxRows: 4 });
        await second.ended;
        await settle(world, [first, second]);
        expectEveryRecordOnce(world);
      },
    );

    test('does not move them there again once the plan leaves them out', async () => {
      const world = createWorld(given(records, [1, 5]));
      let deadLettered = 0;
      const onStep = (step: Step) => {
        if (step === 'dead-lettered') deadLettered += 1;
        // The undecodable ones, then the refused ones. The plan without them is durable at the next insert.
        if (deadLettered === 2 && step === 'insert') throw new Killed();
      };
      const first = startLife(world, { ...peaceful, maxRows: 100, onStep });
      await first.ended;
      const plan = readPlan(world.committed);
      expect(plan?.mark).not.toBeNull();
      expect(plan).toMatchObject({ leftOut: new Set([1, 5]) });
      let refusals = 0;
      const second = startLife(world, {
        ...peaceful,
        maxRows: 100,
        onStep: (step) => void (step === 'refused' && refusals++),
      });
      await second.ended;
      await settle(world, [first, second]);
      expect(refusals).toBe(0);
      expectEveryRecordOnce(world);
    });

    test('continues with a plan that leaves out every record of its range, if blocks before it are remembered', async () => {
      const world = createWorld({ ...given([[0], [1]], [1]), uploads: ['a', null] });
      const first = startLife(world, { ...peaceful, maxRows: 1, onStep: diesAt('done', 1) });
      await first.ended;
      expect(readPlan(world.committed)).toMatchObject({ first: 1, leftOut: new Set([1]) });
      const second = startLife(world, { ...peaceful, maxRows: 1 });
      await second.ended;
      await settle(world, [first, second]);
      expectEveryRecordOnce(world);
    });

    test('ends its search in time, and gives up a group that fails only together, so that the window does not fill', async () => {
      const world = createWorld(given([month, month, month, month, month, month, month, month], [1, 2, 3]));
      const life = startLife(world, { ...peaceful, maxRows: 100, mostTrials: 2 });
      await life.ended;
      await settle(world, [life]);
      expect([...world.deadLettered].sort()).toEqual([0, 1, 2, 3]);
      expect(world.tables[2]?.offsets).toEqual(new Map([4, 5, 6, 7].map((offset) => [offset, 1])));
    });

    test('moves nothing to the dead letters while the store also refuses a plain row', async () => {
      const world = createWorld(given([month, month], [0, 1, -1]));
      const refusals: Step[] = [];
      const life = startLife(world, {
        ...peaceful,
        maxRows: 100,
        onStep: (step) => void (step === 'refused' && refusals.push(step)),
      });
      while (refusals.length < 30) await tick();
      expect(world.deadLettered.size).toBe(0);
      life.lose();
      await life.sink.stop();
    });
  });

  describe('if the store refuses the query about uploads', () => {
    const uploads = ['a', 'b', 'a', 'c', null, 'c', 'd'];
    const sent: Given['records'] = [[0], [0, 1], [0], [2], [3], [2], [0]];
    const dying: Step[] = [
      'planned',
      'dead-letter',
      'dead-lettered',
      'inserted',
      'remember',
      'remembered',
      'reported',
      'done',
    ];

    test.each([null, ...dying.flatMap((step) => [0, 1, 2].map((nth) => [step, nth] as const))])(
      'continues without the refused records, which are dead, if it is killed at %s',
      async (death) => {
        const world = createWorld({ ...given(sent), uploads, unasked: new Set([1, 6]) });
        const onStep = death === null ? () => {} : diesAt(...death);
        const first = startLife(world, { ...peaceful, maxRows: 100, onStep });
        await first.ended;
        const second = startLife(world, { ...peaceful, maxRows: 100 });
        await second.ended;
        await settle(world, [first, second]);
        expect([...world.deadLettered].sort()).toEqual([1, 6]);
        for (const { offsets } of world.tables)
          expect(offsets).toEqual(new Map([0, 3, 4].map((offset) => [offset, 1])));
      },
    );

    test.each([null, ...dying.flatMap((step) => [0, 1, 2].map((nth) => [step, nth] as const))])(
      'stores a block once even if it cannot be remembered, and remembers the others, if it is killed at %s',
      async (death) => {
        const world = createWorld({ ...given(sent), uploads, unremembered: new Set([1]) });
        const onStep = death === null ? () => {} : diesAt(...death);
        const first = startLife(world, { ...peaceful, maxRows: 100, onStep });
        await first.ended;
        const second = startLife(world, { ...peaceful, maxRows: 100 });
        await second.ended;
        await settle(world, [first, second]);
        expectEveryRecordOnce(world);
        expect([...world.remembered.keys()].sort()).toEqual([0, 3, 4, 6].filter((offset) => uploads[offset]));
        expect([...world.forgotten]).toEqual([1]);
      },
    );

    test('waits for a store that refuses even a plain query', async () => {
      const world = createWorld({ ...given(sent), uploads, unasked: new Set([-1, 0]) });
      let plans = 0;
      const life = startLife(world, {
        ...peaceful,
        maxRows: 100,
        onStep: (step) => void (step === 'planned' && plans++),
      });
      while (plans < 40) await tick();
      expect(world.deadLettered.size).toBe(0);
      expect(world.tables[0]?.offsets.size).toBe(0);
      life.lose();
      await life.sink.stop();
    });
  });

  describe('with an owner that lost its partition without noticing', () => {
    test('does not insert again after another owner has the partition', async () => {
      const world = createWorld(given([month, month]));
      let inserts = 0;
      const nextFate = () => {
        inserts += 1;
        return { ...smooth, diesAfter: 0 };
      };
      const zombie = startLife(world, { ...peaceful, maxRows: 1, nextFate });
      while (inserts < 3) await tick();
      // It has not noticed the loss yet.
      const owner = startLife(world, { ...peaceful, maxRows: 1 });
      const before = inserts;
      await owner.ended;
      await zombie.sink.stop();
      expect(inserts).toBeLessThanOrEqual(before + 1);
      await settle(world, [zombie, owner]);
      expectEveryRecordOnce(world);
    });

    test('ends the running insert when it notices', async () => {
      const world = createWorld(given([month]));
      let inserting = false;
      const nextFate = () => {
        inserting = true;
        return { ...smooth, slowness: 2_000 };
      };
      const life = startLife(world, { ...peaceful, maxRows: 1, nextFate });
      while (!inserting) await tick();
      life.lose();
      await life.sink.stop();
      expect(world.running.size).toBe(1);
      await settle(world, [life]);
    });

    test('on a graceful stop waits for the running attempt, and leaves the range planned if it fails', async () => {
      const world = createWorld(given([month]));
      const life = startLife(world, {
        ...peaceful,
        maxRows: 1,
        nextFate: () => ({ ...smooth, diesAfter: 0 }),
      });
      while (world.committed === null) await tick();
      await life.sink.stop();
      expect(readPlan(world.committed)).toMatchObject({ first: 0, last: 0 });
      expect(life.crashes).toEqual([]);
    });
  });

  test('the model of the store doubles a row whose token left the window, so the other tests can fail', async () => {
    const world = createWorld(given([month], [], 10));
    const insertion = { body: Buffer.from('[{"trial":false,"offset":0,"month":0}]'), rows: 1, token: 'A' };
    await world.insert(insertion, { ...smooth, others: 9 });
    await world.insert(insertion, smooth);
    expect(world.tables.map(({ offsets }) => offsets.get(0))).toEqual([1, 1, 1]);
    await world.insert({ ...insertion, token: 'B' }, { ...smooth, others: 10 });
    await world.insert(insertion, smooth);
    expect(world.tables.map(({ offsets }) => offsets.get(0))).toEqual([3, 3, 3]);
  });

  test('stores every record once with any deaths, zombies, refusals, repeats and range sizes', async () => {
    const fate: fc.Arbitrary<Fate> = fc.record({
      others: fc.nat(1),
      slowness: fc.nat(3),
      order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      diesAfter: fc.option(fc.nat(2), { freq: 3 }),
      answerLost: fc.boolean(),
    });
    const life = fc.record({
      maxRows: fc.integer({ min: 1, max: 12 }),
      grows: fc.boolean(),
      fates: fc.array(fate, { maxLength: 4 }),
      /** It dies at this step; null: it is cut off after some turns and continues. */
      diesAtStep: fc.option(fc.nat(40)),
      cutOffAfter: fc.nat(30),
      hearsAfter: fc.nat(20),
    });
    const months = fc.array(fc.nat(3), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 5, arbitrary: months }, fc.constant('undecodable' as const)), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.array(fc.constantFrom(null, null, 'a', 'b'), { minLength: 12, maxLength: 12 }),
        fc.array(fc.nat(11), { maxLength: 2 }),
        fc.array(life, { maxLength: 4 }),
        async (all, uploads, refused, lives) => {
          const refusable = refused.filter(
            (offset) => Array.isArray(all[offset]) && uploads[offset] === null,
          );
          const world = createWorld({ ...given(all, refusable, 200), uploads });
          const started: Life[] = [];
          for (const { maxRows, grows, fates, diesAtStep, cutOffAfter, hearsAfter } of lives) {
            let steps = 0;
            const started_ = startLife(world, {
              maxRows,
              grows,
              nextFate: () => fates.shift() ?? smooth,
              onStep(step) {
                if (steps++ === diesAtStep) throw new Killed(step);
              },
            });
            started.push(started_);
            if (diesAtStep !== null) await started_.ended;
            else for (let turn = 0; turn < cutOffAfter; turn += 1) await tick();
            void (async () => {
              for (let turn = 0; turn < hearsAfter; turn += 1) await tick();
              started_.lose();
            })();
          }
          const last = startLife(world, { ...peaceful, maxRows: 4 });
          await last.ended;
          await settle(world, [...started, last]);
          expectEveryRecordOnce(world);
        },
      ),
      // If a life never ends, the failure names its case. It stops with the shrunk case before the runner's
      // timeout.
      { numRuns: 60, timeout: 20_000, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
    );
  });

  test('blocks its producer while more than two ranges wait', async () => {
    const world = createWorld(given([[0], [0], [0], [0], [0], [0]]));
    let release = false;
    const nextFate = () => ({ ...smooth, slowness: release ? 0 : 200 });
    const life = startLife(world, { ...peaceful, maxRows: 1, nextFate });
    let accepted = false;
    void life.sink.push([]).then(() => {
      accepted = true;
    });
    for (let turn = 0; turn < 50; turn += 1) await tick();
    expect(accepted).toBe(false);
    release = true;
    await life.ended;
    await tick();
    expect(accepted).toBe(true);
    await settle(world, [life]);
  });
});

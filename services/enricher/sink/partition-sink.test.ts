import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Commit, type LogRecord, StaleAssignmentError } from '../../../shared/event-log/event-log.js';
import { encodeRawBlock } from '../../../shared/requests/raw-block-codec.js';
import { rawRequest } from '../../../test/harness/raw-request.js';
import { createPartitionSink, type PartitionSinkDependencies } from './partition-sink.js';
import type { PreparedRange } from './prepare-range.js';

/** The steps of EXACTLY-ONCE.md at which a life of the sink may end. */
const steps = [
  'before plan',
  'after plan',
  'after table',
  'after first rollup',
  'after insert',
  'after done',
] as const;
type Step = (typeof steps)[number];

class Killed extends Error {}

/** What survives a crash: the log, the group's commit, and a store whose tables each deduplicate by token. */
function createWorld(rowsPerRecord: number[]) {
  const log: LogRecord[] = rowsPerRecord.map((rows, offset) => ({
    partition: 0,
    offset,
    key: 'w',
    appendedAt: 0,
    value: encodeRawBlock({
      website_id: 'w',
      source: 'loglane',
      upload_id: `u${offset}`,
      received_at: 0,
      requests: Array.from({ length: rows }, () => rawRequest()),
    }),
  }));
  const tables = ['table', 'first rollup', 'second rollup'].map((name) => ({
    name,
    tokens: new Set<string>(),
    offsets: new Map<number, number>(),
  }));
  return { log, tables, committed: null as Commit | null };
}

/** Runs one life of the sink until it has written everything or is killed at `step` of its n-th range. */
async function live(
  world: ReturnType<typeof createWorld>,
  maxRows: number,
  death: { range: number; step: Step } | null,
) {
  let ranges = 0;
  let dead = false;
  const die = (step: Step) => {
    if (dead || (death !== null && ranges === death.range && step === death.step)) {
      dead = true;
      throw new Killed(step);
    }
  };
  const total = world.log.length;
  await new Promise<void>((finish) => {
    const deps: PartitionSinkDependencies = {
      limits: { maxRows, lingerMs: 1 },
      async prepare(records) {
        const first = records[0]?.offset ?? 0;
        const last = records.at(-1)?.offset ?? 0;
        return {
          first,
          last,
          rows: records.length,
          requests: records.length,
          body: Buffer.of(),
          token: `${first}-${last}`,
          dead: [],
          receivedAt: 0,
        };
      },
      async commit(commit) {
        const planning = commit.metadata !== '';
        die(planning ? 'before plan' : 'after insert');
        world.committed = commit;
        die(planning ? 'after plan' : 'after done');
      },
      async insert(range) {
        for (const table of world.tables) {
          store(table, range);
          if (table.name === 'table') die('after table');
          if (table.name === 'first rollup') die('after first rollup');
        }
      },
      async bury() {},
      onWritten(range) {
        ranges += 1;
        if (range.last === total - 1) finish();
      },
      onCrash: () => finish(),
    };
    const sink = createPartitionSink(world.committed, deps);
    void sink.push(world.log.slice(world.committed?.offset ?? 0));
    if ((world.committed?.offset ?? 0) === total) finish();
  });
}

function store(table: ReturnType<typeof createWorld>['tables'][number], range: PreparedRange) {
  if (table.tokens.has(range.token)) return;
  table.tokens.add(range.token);
  for (let offset = range.first; offset <= range.last; offset += 1) {
    table.offsets.set(offset, (table.offsets.get(offset) ?? 0) + 1);
  }
}

function expectEveryRecordOnce(world: ReturnType<typeof createWorld>) {
  for (const table of world.tables) {
    expect([table.name, [...table.offsets.entries()].sort((a, b) => a[0] - b[0])]).toEqual([
      table.name,
      world.log.map(({ offset }) => [offset, 1]),
    ]);
  }
}

describe('the partition sink', () => {
  test.each(steps)('stores every record once though it was killed %s', async (step) => {
    const world = createWorld([3, 1, 4, 1, 5, 9, 2, 6]);
    await live(world, 5, { range: 1, step });
    await live(world, 7, null);
    expectEveryRecordOnce(world);
  });

  test('stores every record once through any sequence of deaths and range sizes', async () => {
    const death = fc.record({
      range: fc.nat(3),
      step: fc.constantFrom(...steps),
      maxRows: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 15 }),
        fc.array(death, { maxLength: 5 }),
        async (rowsPerRecord, deaths) => {
          const world = createWorld(rowsPerRecord);
          for (const { maxRows, ...at } of deaths) await live(world, maxRows, at);
          await live(world, 4, null);
          // `rows: records.length` in prepare() makes every range count, also ones of empty blocks.
          expectEveryRecordOnce(world);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('stops without a crash, and writes nothing more, when the partition has gone to another consumer', async () => {
    const world = createWorld([2, 2, 2]);
    const crashes: Error[] = [];
    let inserts = 0;
    const sink = createPartitionSink(null, {
      limits: { maxRows: 2, lingerMs: 1 },
      prepare: async (records) => ({
        first: records[0]!.offset,
        last: records.at(-1)!.offset,
        rows: 2,
        requests: 2,
        body: Buffer.of(),
        token: '',
        dead: [],
        receivedAt: 0,
      }),
      commit: async () => {
        throw new StaleAssignmentError('gone');
      },
      insert: async () => {
        inserts += 1;
      },
      bury: async () => {},
      onWritten: () => {},
      onCrash: (error) => crashes.push(error),
    });
    await sink.push(world.log);
    await sink.stop();
    expect([inserts, crashes]).toEqual([0, []]);
  });

  test('holds back its producer while more than two ranges wait', async () => {
    const world = createWorld([5, 5, 5, 5, 5]);
    let release = () => {};
    const sink = createPartitionSink(null, {
      limits: { maxRows: 5, lingerMs: 1 },
      prepare: async (records) => ({
        first: records[0]!.offset,
        last: records.at(-1)!.offset,
        rows: 5,
        requests: 5,
        body: Buffer.of(),
        token: `${records[0]!.offset}`,
        dead: [],
        receivedAt: 0,
      }),
      commit: async () => {},
      insert: () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
      bury: async () => {},
      onWritten: () => {},
      onCrash: (error) => {
        throw error;
      },
    });
    let accepted = false;
    void sink.push(world.log).then(() => {
      accepted = true;
    });
    await new Promise((resume) => setTimeout(resume, 30));
    expect(accepted).toBe(false);
    for (let i = 0; i < 5; i += 1) {
      release();
      await new Promise((resume) => setTimeout(resume, 10));
    }
    expect(accepted).toBe(true);
  });
});

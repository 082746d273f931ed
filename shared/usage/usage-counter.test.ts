import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/harness/runs.js';
import { HOUR_MS } from '../durations.js';
import { type UsageBucket, usageBuckets } from './usage-bucket.js';
import { createUsageCounter, type SharedUsageCounter, type UsageRecord } from './usage-counter.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');

const slots = ['org_1', 'org_2'].flatMap((subjectId) =>
  usageBuckets.map((bucket) => ({ subjectId, bucket })),
);
type Slot = (typeof slots)[number];

/** One start of a replica. */
interface Life {
  readonly id: string;
  readonly counter: SharedUsageCounter;
  readonly taken: Map<Slot, number>;
}

const replica = fc.nat({ max: 2 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('take'), replica, slot: fc.constantFrom(...slots) }) },
  // A record may be in the log without its writer knowing.
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('share'),
      replica,
      outcome: fc.constantFrom('known', 'unknown', 'lost'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('deliver'), replica, pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('kill'), replica }) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Three replicas and the log between them, and the calls that were really let through. */
function play(steps: readonly Step[], afterEach: (lives: readonly Life[], running: Life[]) => void) {
  const lives: Life[] = [];
  const log: UsageRecord[] = [];
  const start = (): Life => {
    const id = `replica-${lives.length}`;
    lives.push({ id, counter: createUsageCounter(id), taken: new Map() });
    return lives.at(-1)!;
  };
  const running = [start(), start(), start()];
  for (const each of steps) {
    const life = running[each.replica]!;
    if ('slot' in each) {
      life.counter.take(each.slot.subjectId, each.slot.bucket, NOON);
      life.taken.set(each.slot, (life.taken.get(each.slot) ?? 0) + 1);
    } else if ('outcome' in each) {
      const record = life.counter.unshared();
      if (record !== null && each.outcome !== 'lost') log.push(record);
      if (record !== null && each.outcome === 'known') life.counter.markShared(record);
    } else if ('pick' in each) {
      if (log.length > 0) life.counter.merge(log[each.pick % log.length]!, NOON);
    } else running[each.replica] = start();
    afterEach(lives, running);
  }
  return { lives, running, log };
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0);
const takenIn = (slot: Slot, lives: readonly Life[]) => sum(lives.map(({ taken }) => taken.get(slot) ?? 0));
const usedIn = ({ subjectId, bucket }: Slot, { counter }: Life) => counter.used(subjectId, bucket, NOON);

/** A replica's largest count in the log. */
function largestIn(log: readonly UsageRecord[], id: string, slot: Slot): number {
  const counts = log.filter(({ replicaId }) => replicaId === id).flatMap((record) => record.counts);
  const of = counts.filter(({ subjectId, bucket }) => subjectId === slot.subjectId && bucket === slot.bucket);
  return Math.max(0, ...of.map(({ count }) => count));
}

describe('counts that replicas share', () => {
  it('never exceed the real calls, and include all of a replica’s own', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        play(steps, (lives, running) => {
          for (const slot of slots)
            for (const life of running) {
              expect(usedIn(slot, life)).toBeLessThanOrEqual(takenIn(slot, lives));
              expect(usedIn(slot, life)).toBeGreaterThanOrEqual(life.taken.get(slot) ?? 0);
            }
        });
      }),
    );
  });

  it('are equal everywhere once each has shared its last, although records were lost, doubled and reordered', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60, size: 'max' }),
        fc.infiniteStream(fc.nat()),
        (steps, order) => {
          const { lives, running, log } = play(steps, () => {});
          for (const { counter } of running) {
            const record = counter.unshared();
            if (record === null) continue;
            log.push(record);
            counter.markShared(record);
            expect(counter.unshared()).toBeNull();
          }
          for (const { counter } of running) {
            const shuffled = log.map((record) => ({ record, at: order.next().value as number }));
            shuffled.sort((one, other) => one.at - other.at);
            for (const { record } of shuffled) counter.merge(record, NOON);
          }
          for (const slot of slots) {
            const killed = lives.filter((life) => !running.includes(life));
            const expected = takenIn(slot, running) + sum(killed.map(({ id }) => largestIn(log, id, slot)));
            expect(running.map((life) => usedIn(slot, life))).toEqual(running.map(() => expected));
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

it('a late, older record takes nothing back', () => {
  const usage = createUsageCounter('r1');
  for (const count of [3, 5, 3]) usage.merge(recordOf('r2', NOON, count), NOON);
  usage.merge(recordOf('r3', NOON, 2), NOON);
  expect(usage.used('org_1', 'requests', NOON)).toBe(7);
});

it('each grown count is reported, of any replica, and no known one is', () => {
  const grown: string[] = [];
  const usage = createUsageCounter('r1', (subjectId, bucket) => grown.push(`${bucket} of ${subjectId}`));
  usage.take('web_1', 'ingest_rows', NOON, 2_000);
  usage.merge(recordOf('r2', NOON, 5), NOON);
  usage.merge(recordOf('r2', NOON, 5), NOON);
  usage.merge(recordOf('r2', NOON, 4), NOON);
  expect(grown).toEqual(['ingest_rows of web_1', 'requests of org_1']);
});

describe('the unshared counts', () => {
  it('are those since the last share, and are repeated until they are confirmed', () => {
    const usage = createUsageCounter('r1');
    expect(usage.unshared()).toBeNull();
    usage.take('org_1', 'requests', NOON);
    usage.take('org_1', 'requests', NOON + 1);
    usage.take('org_2', 'writes', NOON);
    const record = {
      replicaId: 'r1',
      counts: [
        { subjectId: 'org_1', bucket: 'requests', hourStart: NOON, count: 2 },
        { subjectId: 'org_2', bucket: 'writes', hourStart: NOON, count: 1 },
      ],
    };
    expect(usage.unshared()).toEqual(record);
    expect(usage.unshared()).toEqual(record);
    usage.markShared(usage.unshared()!);
    expect(usage.unshared()).toBeNull();
  });

  it('include those counted while a record was in flight', () => {
    const usage = createUsageCounter('r1');
    usage.take('org_1', 'requests', NOON);
    const underWay = usage.unshared()!;
    usage.take('org_1', 'requests', NOON);
    usage.markShared(underWay);
    expect(usage.unshared()?.counts).toMatchObject([{ count: 2 }]);
  });

  it('exclude counts of other replicas', () => {
    const usage = createUsageCounter('r1');
    usage.merge(recordOf('r2', NOON, 5), NOON);
    expect(usage.unshared()).toBeNull();
  });
});

it('an amount counts at once, up to the limit of a record', () => {
  const usage = createUsageCounter('r1');
  usage.take('website_1', 'ingest_rows', NOON, 2_000);
  usage.take('website_1', 'ingest_rows', NOON);
  expect(usage.used('website_1', 'ingest_rows', NOON)).toBe(2_001);
  usage.take('website_1', 'ingest_rows', NOON, Number.MAX_SAFE_INTEGER);
  expect(usage.unshared()?.counts).toMatchObject([{ count: 2 ** 31 - 1 }]);
});

describe('an hour', () => {
  it('has its own count, and so have buckets and organisations', () => {
    const usage = createUsageCounter('r1');
    const at = NOON + HOUR_MS - 1;
    usage.take('org_1', 'requests', at);
    expect(usage.used('org_1', 'requests', NOON)).toBe(1);
    expect(usage.used('org_1', 'writes', at)).toBe(0);
    expect(usage.used('org_2', 'requests', at)).toBe(0);
    expect(usage.used('org_1', 'requests', at + 1)).toBe(0);
  });

  it('is still shared in the next one', () => {
    const usage = createUsageCounter('r1');
    usage.take('org_1', 'requests', NOON);
    usage.take('org_1', 'requests', NOON + HOUR_MS);
    expect(usage.unshared()?.counts).toHaveLength(2);
  });

  it('is dropped after that, with counts of others and unshared ones', () => {
    const usage = createUsageCounter('r1');
    usage.take('org_1', 'requests', NOON);
    usage.merge(recordOf('r2', NOON, 5), NOON);
    expect(usage.used('org_1', 'requests', NOON)).toBe(6);
    usage.used('org_9', 'requests', NOON + 2 * HOUR_MS);
    expect(usage.unshared()).toBeNull();
    expect(usage.used('org_1', 'requests', NOON)).toBe(0);
  });

  it.each([
    [-2, 0],
    [-1, 5],
    [0, 5],
    [1, 5],
    [2, 0],
  ])('%d hours from the present, 5 calls of others are merged as %d', (hours, used) => {
    const usage = createUsageCounter('r1');
    usage.merge(recordOf('r2', NOON + hours * HOUR_MS, 5), NOON);
    expect(usage.used('org_1', 'requests', NOON + hours * HOUR_MS)).toBe(used);
  });
});

function recordOf(replicaId: string, hourStart: number, count: number): UsageRecord {
  const bucket: UsageBucket = 'requests';
  return { replicaId, counts: [{ subjectId: 'org_1', bucket, hourStart, count }] };
}

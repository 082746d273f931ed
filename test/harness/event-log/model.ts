import fc from 'fast-check';
import { expect } from 'vitest';
import type { Commit, EventLog } from '../../../shared/event-log/event-log.js';
import { partitionOf } from '../../../shared/event-log/partition-of.js';
import { type Reader, startReader } from './reader.js';

/** Compares a log with a model of itself: one list of values and one commit per partition. */

/** A new, empty log whose `requests.raw` has at least two partitions. */
export interface LogUnderTest {
  readonly log: EventLog;
  /** Closes the log and opens it again on the same data. */
  reopen(): Promise<EventLog>;
  /** Closes it and removes its data. */
  destroy(): Promise<void>;
}

type Step =
  | { readonly kind: 'append'; readonly keys: readonly number[] }
  /** In each partition, at this share of its records. */
  | { readonly kind: 'commit'; readonly share: number }
  | { readonly kind: 'reopen' };

const step = fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      keys: fc.array(fc.nat({ max: 6 }), { maxLength: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

export const histories = fc.array(step, { maxLength: 25 });

const TOPIC = 'requests.raw';
const GROUP = 'model';

/** Runs the steps on the log and on the model, and expects them to agree after each. */
export async function followHistory(
  subject: LogUnderTest,
  history: readonly Step[],
  eventually: (check: () => void) => Promise<void>,
): Promise<void> {
  let log = subject.log;
  const partitions = (await log.offsets(TOPIC)).size;
  const lists = Array.from({ length: partitions }, () => [] as string[]);
  const commits = new Map<number, Commit>();
  let count = 0;
  let reader = startReader(log, { topic: TOPIC, group: GROUP });
  let startedAt = new Map<number, Commit>();

  for (const one of history) {
    if (one.kind === 'append') {
      const batch = one.keys.map((key) => ({ key: `k${key}`, value: Buffer.from(`v${count++}`) }));
      const wanted = batch.map(({ key, value }) => {
        const partition = partitionOf(key, partitions);
        return { partition, offset: lists[partition]!.push(value.toString()) - 1 };
      });
      expect(await log.append(TOPIC, batch)).toEqual(wanted);
    } else if (one.kind === 'commit') {
      await eventually(() => {
        expectRead(reader, lists, startedAt);
        expect(reader.owned.size).toBe(partitions);
      });
      const consumer = await reader.consumer;
      for (const [partition, values] of lists.entries()) {
        const commit = { offset: Math.round(values.length * one.share), metadata: `m${count++}` };
        await consumer.commit(partition, commit);
        commits.set(partition, commit);
      }
      expect(await log.committed(TOPIC, GROUP)).toEqual(commits);
    } else {
      log = await subject.reopen();
      startedAt = new Map(commits);
      reader = startReader(log, { topic: TOPIC, group: GROUP });
    }
  }
  await eventually(() => expectRead(reader, lists, startedAt));
  const extents = await log.offsets(TOPIC);
  lists.forEach((values, partition) => {
    expect(extents.get(partition)).toEqual({ oldest: 0, next: values.length });
  });
}

/** Expects that the reader has read each list from its first commit on, once and in order. */
function expectRead(
  reader: Reader,
  lists: readonly (readonly string[])[],
  startedAt: ReadonlyMap<number, Commit>,
): void {
  lists.forEach((values, partition) => {
    const read = reader.records.filter((record) => record.partition === partition);
    const wanted = values.slice(startedAt.get(partition)?.offset ?? 0);
    expect(read.map(({ value }) => value.toString())).toEqual(wanted);
  });
}

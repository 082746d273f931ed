import { describe, expect, test, vi } from 'vitest';
import { contentsOf } from '../../../test/harness/control-actions.js';
import { createControlLog } from '../../../test/harness/control-log.js';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { createMemorySnapshotStore, partsOf, settle } from '../../../test/harness/memory-snapshot-store.js';
import type { ControlPlane } from '../control-plane.js';
import { deserialise } from './snapshot.js';
import { snapshotGap } from './take-snapshots.js';

async function create(control: ControlPlane, count: number): Promise<void> {
  for (let made = 0; made < count; made++)
    granted(await control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin'));
}

async function logOf(records: number) {
  const { control, log } = await openTestPlane();
  await create(control, records);
  await control.close();
  return createControlLog(log.records);
}

const offsets = (store: ReturnType<typeof createMemorySnapshotStore>) =>
  store.held.map(({ nextOffset }) => nextOffset);

describe('snapshots', () => {
  test('are written each time that the given number of records was folded', async () => {
    const snapshots = createMemorySnapshotStore();
    const { control, logged } = await openTestPlane({ snapshots, snapshotEvery: 4 });
    await create(control, 3);
    await settle();
    expect(offsets(snapshots)).toEqual([]);
    for (const count of [1, 3, 1]) {
      await create(control, count);
      await settle();
    }
    expect(offsets(snapshots)).toEqual([4, 8]);
    expect(logged()).toContain('"next_offset":8');
  });

  test('wait for the end of a start, and one then contains all of it', async () => {
    const snapshots = createMemorySnapshotStore();
    const log = await logOf(11);
    log.hold();
    const opening = openTestPlane({ log, snapshots, snapshotEvery: 4 });
    await settle();
    log.release();
    const { control } = await opening;
    await settle();
    expect(offsets(snapshots)).toEqual([11]);
    await create(control, 1);
    await settle();
    expect(offsets(snapshots)).toEqual([11, 12]);
  });

  test('are not written if a start would fold few more records', async () => {
    const snapshots = createMemorySnapshotStore();
    const first = await openTestPlane({ snapshots, snapshotEvery: 4 });
    await create(first.control, 7);
    await settle();
    await openTestPlane({ log: first.log, snapshots, snapshotEvery: 4 });
    await settle();
    expect(snapshots.begun).toBe(1);
  });

  test('are written one at a time, each with the state at its offset', async () => {
    const snapshots = createMemorySnapshotStore();
    const { control } = await openTestPlane({ snapshots, snapshotEvery: 2 });
    snapshots.hold();
    await create(control, 7);
    await settle();
    expect(snapshots.begun).toBe(1);
    snapshots.release();
    await settle();
    expect(offsets(snapshots)).toEqual([2]);
    await create(control, 1);
    await settle();
    expect(offsets(snapshots)).toEqual([2, 8]);
    for (const { nextOffset, parts } of snapshots.held)
      expect((await deserialise(partsOf(parts))).organisations.size).toBe(nextOffset);
  });

  test('of two planes that fold the same records are equal, and one is stored', async () => {
    const snapshots = createMemorySnapshotStore();
    const log = await logOf(3);
    const wishes = { log, snapshots, snapshotEvery: 4 };
    const [one, two] = await Promise.all([openTestPlane(wishes), openTestPlane(wishes)]);
    await Promise.all([create(one.control, 5), create(two.control, 5)]);
    await log.drained();
    await settle();
    expect(snapshots.begun).toBeGreaterThan(offsets(snapshots).length);
    expect(new Set(offsets(snapshots)).size).toBe(offsets(snapshots).length);
    const third = await openTestPlane(wishes);
    expect(contentsOf(third.control.state())).toEqual(contentsOf(one.control.state()));
    expect(contentsOf(third.control.state())).toEqual(contentsOf(two.control.state()));
  });

  test('that cannot be written cause a warning, and the next is tried', async () => {
    const snapshots = createMemorySnapshotStore();
    const write = vi.fn(snapshots.write).mockRejectedValueOnce(new Error('away'));
    const { control, logged, crashes } = await openTestPlane({
      snapshots: { ...snapshots, write },
      snapshotEvery: 2,
    });
    await create(control, 3);
    await settle();
    expect(logged()).toContain('snapshot of the control plane not written');
    await create(control, 1);
    await settle();
    expect(offsets(snapshots)).toEqual([4]);
    expect(crashes).toEqual([]);
  });

  test('are left incomplete by a plane that closes', async () => {
    const snapshots = createMemorySnapshotStore();
    snapshots.hold();
    const { control, logged } = await openTestPlane({ snapshots, snapshotEvery: 2 });
    await create(control, 2);
    await settle();
    expect(snapshots.begun).toBe(1);
    await control.close();
    snapshots.release();
    await settle();
    expect(offsets(snapshots)).toEqual([]);
    expect(logged()).not.toContain('not written');
  });

  test('are not written by a reader', async () => {
    const snapshots = createMemorySnapshotStore();
    const { readNewest } = snapshots;
    const { control } = await openTestPlane({ snapshots: { readNewest }, snapshotEvery: 1 });
    await create(control, 3);
    await settle();
    expect(snapshots.begun).toBe(0);
  });
});

describe('without a given number', () => {
  test('a log of some thousand records has a snapshot, and a start folds at most a quarter of the log', () => {
    let taken = 0;
    let written = 0;
    for (let nextOffset = 1; nextOffset <= 60_000; nextOffset += 1) {
      const gap = snapshotGap(nextOffset);
      if (Math.floor(nextOffset / gap) > Math.floor(taken / gap)) {
        taken = nextOffset;
        written += 1;
      }
      expect(nextOffset - taken).toBeLessThanOrEqual(Math.max(1_024, nextOffset / 4));
    }
    expect(written).toBeLessThan(30);
    expect(snapshotGap(10_000_000)).toBe(16_384);
  });

  test('the first is written while an installation is small', async () => {
    const snapshots = createMemorySnapshotStore();
    const { control } = await openTestPlane({ log: await logOf(1_100), snapshots });
    await settle();
    expect(offsets(snapshots)).toEqual([1_100]);
    await control.close();
  });
});

describe('notifications about decisions', () => {
  test('are sent for valid ones, in the log’s order, after the state has them', async () => {
    const log = createControlLog();
    log.duplicate(1);
    const reported: [string, number, number][] = [];
    const { control } = await openTestPlane({
      log,
      onApplied: ({ events }, offset) =>
        reported.push([events[0]!.aggregateId, offset, control.state().organisations.size]),
    });
    await create(control, 3);
    await log.drained();
    const ids = [...control.state().organisations.values()].map(({ id }) => id);
    expect(reported).toEqual(ids.map((id, index) => [id, 2 * index, index + 1]));
  });

  test('a snapshot waits until the effects of earlier ones are durable', async () => {
    const snapshots = createMemorySnapshotStore();
    const asked: number[] = [];
    let safe = () => {};
    const { control } = await openTestPlane({
      snapshots,
      snapshotEvery: 2,
      beforeSnapshot: (nextOffset) => {
        asked.push(nextOffset);
        return new Promise((resolve) => {
          safe = resolve;
        });
      },
    });
    await create(control, 5);
    await settle();
    expect({ asked, begun: snapshots.begun }).toEqual({ asked: [2], begun: 0 });
    safe();
    await settle();
    expect(offsets(snapshots)).toEqual([2]);
  });

  test('if they never are, there is no snapshot', async () => {
    const snapshots = createMemorySnapshotStore();
    const { control, logged } = await openTestPlane({
      snapshots,
      snapshotEvery: 2,
      beforeSnapshot: () => Promise.reject(new Error('the projection is behind')),
    });
    await create(control, 2);
    await settle();
    expect(snapshots.begun).toBe(0);
    expect(logged()).toContain('the projection is behind');
  });
});

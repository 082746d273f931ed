import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { anyAction, commandOf, contentsOf } from '../../../test/harness/control-actions.js';
import { createControlLog } from '../../../test/harness/control-log.js';
import { granted, openTestPlane, type TestPlane } from '../../../test/harness/control-plane.js';
import { createMemorySnapshotStore, settle } from '../../../test/harness/memory-snapshot-store.js';
import { StoreUnavailableError } from '../../store/store-errors.js';

const WARNING = 'no snapshot of the control plane to start from';

/** A log of eight records, with a snapshot of its first six. */
async function history() {
  const snapshots = createMemorySnapshotStore();
  const plane = await openTestPlane({ snapshots, snapshotEvery: 6 });
  for (let count = 0; count < 8; count++)
    granted(await plane.control.execute({ type: 'createOrganisation', name: `Shop ${count}` }, 'admin'));
  await settle();
  await plane.control.close();
  const [snapshot] = snapshots.held;
  expect(snapshots.held).toHaveLength(1);
  return { log: plane.log, snapshots, snapshot: snapshot! };
}

/** A plane on the log, and the offsets that it folded. */
async function restart(wishes: Parameters<typeof openTestPlane>[0]) {
  const folded: number[] = [];
  const plane = await openTestPlane({ ...wishes, onApplied: (_, offset) => folded.push(offset) });
  return { ...plane, folded };
}

async function expectWholeFold(wishes: Parameters<typeof openTestPlane>[0] & { log: TestPlane['log'] }) {
  const fromZero = await openTestPlane({ log: wishes.log });
  const { control, folded, logged } = await restart(wishes);
  expect(folded).toEqual(wishes.log.records.map(({ offset }) => offset));
  expect(contentsOf(control.state())).toEqual(contentsOf(fromZero.control.state()));
  expect(logged().split(WARNING)).toHaveLength(2);
}

describe('a start', () => {
  test('reads only the records after the newest snapshot', async () => {
    const { log, snapshots } = await history();
    const tail = vi.spyOn(log, 'tail');
    const { control, folded, logged } = await restart({ log, snapshots });
    expect(folded).toEqual([6, 7]);
    // The last record of the snapshot, to identify the log, and the records after it.
    expect(tail.mock.calls.map(([{ from }]) => from)).toEqual([5, 6]);
    const fromZero = await openTestPlane({ log });
    expect(contentsOf(control.state())).toEqual(contentsOf(fromZero.control.state()));
    expect(logged()).not.toContain(WARNING);
  });

  test('needs no records after it', async () => {
    const { log, snapshots } = await history();
    const { control, folded } = await restart({ log: createControlLog(log.records.slice(0, 6)), snapshots });
    expect(folded).toEqual([]);
    expect(control.state().organisations.size).toBe(6);
  });

  test('silently ignores a snapshot of another fold', async () => {
    const { log, snapshot } = await history();
    const snapshots = createMemorySnapshotStore();
    snapshots.put({ ...snapshot, fingerprint: 'of an older release' });
    const { folded, logged } = await restart({ log, snapshots });
    expect(folded).toHaveLength(8);
    expect(logged()).not.toContain(WARNING);
  });

  test('folds the whole log if the store is unavailable', async () => {
    const { log } = await history();
    const readNewest = () => Promise.reject(new StoreUnavailableError('ClickHouse is not reachable'));
    await expectWholeFold({ log, snapshots: { readNewest } });
  });

  test.each([
    ['text that is none', ['{"name":"organisations","rows":[{"id":"org_x"}]}\n', '{"nam']],
    [
      'a table that there is not',
      ['{"name":"organisations","rows":[{"id":"org_x"}]}\n{"name":"x","rows":[1]}'],
    ],
  ])('folds the whole log onto an empty state if the store has %s', async (_what, parts) => {
    const { log, snapshot } = await history();
    const snapshots = createMemorySnapshotStore();
    snapshots.put({ ...snapshot, parts });
    await expectWholeFold({ log, snapshots });
  });

  test('folds the whole log if a part is deleted before it is read', async () => {
    const { log, snapshot } = await history();
    async function* torn() {
      yield snapshot.parts[0]!;
      throw new Error('parts are gone');
    }
    await expectWholeFold({ log, snapshots: { readNewest: async () => ({ ...snapshot, parts: torn() }) } });
  });

  test('does not use a snapshot of a log that was recreated since, shorter or longer', async () => {
    const { snapshots } = await history();
    for (const records of [3, 7]) {
      const other = await openTestPlane();
      for (let count = 0; count < records; count++)
        granted(await other.control.execute({ type: 'createOrganisation', name: 'Other' }, 'admin'));
      await expectWholeFold({ log: other.log, snapshots });
    }
  });
});

test('from any snapshot a plane has the state of a whole fold and decides the same', async () => {
  const history = fc.record({
    actions: fc.array(fc.record(anyAction), { minLength: 1, maxLength: 20 }),
    copies: fc.nat(1),
    every: fc.integer({ min: 1, max: 5 }),
    next: fc.record(anyAction),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ actions, copies, every, next }) => {
      const log = createControlLog();
      log.duplicate(copies);
      const written = createMemorySnapshotStore();
      const plane = await openTestPlane({ log, snapshots: written, snapshotEvery: every });
      const { id } = granted(
        await plane.control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin'),
      );
      for (const action of actions)
        await plane.control.execute(commandOf(plane.control.state(), action, id), 'admin');
      await settle();
      await plane.control.close();

      const whole = await openTestPlane({ log: createControlLog(log.records), randomBytes: Buffer.alloc });
      const command = commandOf(whole.control.state(), next, id);
      const contents = contentsOf(whole.control.state());
      const outcome = await whole.control.execute(command, 'admin');
      if (every === 1) expect(written.held.length).toBeGreaterThan(0);
      for (const snapshot of written.held) {
        const snapshots = createMemorySnapshotStore();
        snapshots.put(snapshot);
        const own = createControlLog(log.records);
        const { control, folded } = await restart({ log: own, snapshots, randomBytes: Buffer.alloc });
        expect(folded.every((offset) => offset >= snapshot.nextOffset)).toBe(true);
        expect(contentsOf(control.state())).toEqual(contents);
        expect(await control.execute(command, 'admin')).toEqual(outcome);
        expect(contentsOf(control.state())).toEqual(contentsOf(whole.control.state()));
      }
    }),
    { numRuns: 40 },
  );
});

import { describe, expect, test, vi } from 'vitest';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { joinGroup } from '../../embedded/group-member.js';
import { createCheckpointKeeper } from './checkpoint-keeper.js';

const onCrash = (error: Error) => {
  throw error;
};

async function open(sync: () => Promise<void>) {
  const log = createMemoryEventLog(1);
  await log.append(
    'requests.raw',
    Array.from({ length: 9 }, () => ({ key: 'k', value: Buffer.from('v') })),
  );
  const writer = await joinGroup(log, { group: 'writer', onCrash });
  const member = await joinGroup(log, { group: 'writer-durable', onCrash });
  const keeper = createCheckpointKeeper({
    log,
    group: 'writer',
    member,
    mark: { bootId: 'boot', epoch: 0 },
    sync,
  });
  const checkpoint = async () => (await log.committed('requests.raw', 'writer-durable')).get(0)?.offset;
  return { writer, keeper, checkpoint };
}

describe('a checkpoint', () => {
  test('precedes rows that were written during the sync', async () => {
    let synced: () => void = () => {};
    const { writer, keeper, checkpoint } = await open(
      () =>
        new Promise((resolve) => {
          synced = resolve;
        }),
    );
    await writer.commit(0, { offset: 4, metadata: '' });
    const making = keeper.checkpoint();
    await new Promise((turn) => setTimeout(turn, 5));
    await writer.commit(0, { offset: 8, metadata: '' });
    expect(await checkpoint()).toBeUndefined();
    synced();
    await making;
    expect(await checkpoint()).toBe(4);
  });

  test('is at the start of a range that is only planned', async () => {
    const { writer, keeper, checkpoint } = await open(async () => {});
    await writer.commit(0, { offset: 4, metadata: 'plan:7' });
    await keeper.checkpoint();
    expect(await checkpoint()).toBe(4);
  });

  test('does not move if the sync fails, and moves after the next sync', async () => {
    let broken = true;
    const { writer, keeper, checkpoint } = await open(async () => {
      if (broken) throw new Error('input/output error');
    });
    await writer.commit(0, { offset: 4, metadata: '' });
    await expect(keeper.checkpoint()).rejects.toThrow('input/output');
    expect(await checkpoint()).toBeUndefined();
    broken = false;
    await keeper.checkpoint();
    expect(await checkpoint()).toBe(4);
  });

  test('is also committed for a partition without written rows', async () => {
    const { keeper, checkpoint } = await open(async () => {});
    await keeper.checkpoint();
    expect(await checkpoint()).toBe(0);
  });

  test('runs only once more for all calls during a sync of a slow disk', async () => {
    const syncs: (() => void)[] = [];
    const { writer, keeper, checkpoint } = await open(
      () => new Promise((resolve) => void syncs.push(resolve)),
    );
    const first = keeper.checkpoint();
    await vi.waitFor(() => expect(syncs).toHaveLength(1));
    const later = Array.from({ length: 20 }, () => keeper.checkpoint());
    // The call follows the write, so the second checkpoint includes the write.
    await writer.commit(0, { offset: 8, metadata: '' });
    syncs[0]!();
    await first;
    await vi.waitFor(() => expect(syncs).toHaveLength(2));
    syncs[1]!();
    await Promise.all(later);
    expect(syncs).toHaveLength(2);
    expect(await checkpoint()).toBe(8);
  });

  test('runs for calls during a failing one, too', async () => {
    let fail: (error: Error) => void = () => {};
    let syncs = 0;
    const { keeper, checkpoint } = await open(() =>
      ++syncs > 1
        ? Promise.resolve()
        : new Promise((_, reject) => {
            fail = reject;
          }),
    );
    const first = keeper.checkpoint();
    await vi.waitFor(() => expect(syncs).toBe(1));
    const second = keeper.checkpoint();
    fail(new Error('input/output error'));
    await expect(first).rejects.toThrow('input/output');
    await second;
    expect(await checkpoint()).toBe(0);
    // No call is left waiting: the next call starts a new checkpoint.
    await keeper.checkpoint();
    expect(syncs).toBe(3);
  });
});

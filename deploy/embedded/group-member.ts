import type { ConsumeOptions, Consumer, EventLog } from '../../shared/event-log/event-log.js';

export interface GroupMember extends Consumer {
  /** Partitions that the member can commit for. */
  owned(): readonly number[];
}

/** Joins a group of `requests.raw` as its only member. Resolves when the member owns every partition. */
export async function joinGroup(
  log: Pick<EventLog, 'offsets' | 'consume'>,
  options: Pick<ConsumeOptions, 'group' | 'onCrash'> &
    Partial<Pick<ConsumeOptions, 'onRecords' | 'maxBytes'>>,
): Promise<GroupMember> {
  const wanted = (await log.offsets('requests.raw')).size;
  const owned = new Set<number>();
  let complete: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  const assigned = new Promise<void>((resolve, reject) => {
    complete = resolve;
    fail = reject;
  });
  assigned.catch(() => {});
  const consumer = await log.consume({
    onRecords: async () => {},
    ...options,
    topic: 'requests.raw',
    async onAssigned(partition) {
      owned.add(partition);
      if (owned.size >= wanted) complete();
    },
    async onRevoked(partition) {
      owned.delete(partition);
    },
    onCrash(error) {
      fail(error);
      options.onCrash(error);
    },
  });
  await assigned;
  return { ...consumer, owned: () => [...owned] };
}

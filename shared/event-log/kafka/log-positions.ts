import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logging/log.js';
import { type Commit, LogUnavailableError } from '../event-log.js';
import { type Anchor, type AnchoredCommit, anchorOf, isSame } from './anchor.js';
import { edgeOffsets, type GroupBroker, type KafkaCluster } from './cluster.js';
import { isFenced, isUnknownMember } from './errors.js';
import type { FetchedMessage } from './fetched-message.js';
import { fetchCommits, REBALANCE_TIMEOUT_MS, SESSION_TIMEOUT_MS } from './group-protocol.js';

/**
 * Compares a group's position in a partition with the log. Lets an operator accept a log that differs from the one that
 * was read.
 */
export interface LogPosition {
  readonly partition: number;
  readonly committed: number;
  /** All records before this offset were read; it may be beyond the commit. */
  readonly read: number;
  readonly oldest: number;
  readonly end: number;
  readonly state: 'in order' | 'ends before the last record read' | 'has other records';
  /** Next position of the group if the log is accepted; null: nothing to accept. */
  readonly goesOnAt: number | null;
}

interface PositionsOptions {
  readonly cluster: KafkaCluster;
  /** Names at the brokers. */
  readonly topic: string;
  readonly groupId: string;
}

/** The group's commits in the port's form. */
export async function readCommits(
  { cluster, topic, groupId }: PositionsOptions,
  partitions: readonly number[],
): Promise<Map<number, Commit>> {
  const coordinator = await cluster.findGroupCoordinator({ groupId });
  const found = await fetchCommits(coordinator, groupId, topic, partitions);
  return new Map([...found].map(([partition, { anchor: _, ...commit }]) => [partition, commit]));
}

export async function readEdges(
  cluster: KafkaCluster,
  topic: string,
  partitions: readonly number[],
): Promise<Map<number, { oldest: number; next: number }>> {
  const oldest = await edgeOffsets(cluster, topic, partitions, 'oldest');
  const next = await edgeOffsets(cluster, topic, partitions, 'next');
  return new Map(
    partitions.map((partition) => [
      partition,
      { oldest: oldest.get(partition)!, next: next.get(partition)! },
    ]),
  );
}

/** Positions of the partitions with a commit. */
export async function readPositions(
  { cluster, topic, groupId }: PositionsOptions,
  partitions: readonly number[],
): Promise<readonly LogPosition[]> {
  const coordinator = await cluster.findGroupCoordinator({ groupId });
  const commits = await fetchCommits(coordinator, groupId, topic, partitions);
  const edges = await readEdges(cluster, topic, [...commits.keys()]);
  const positions: LogPosition[] = [];
  // Sequential: kafkajs opens a connection for each of several simultaneous first fetches, and closes only the last
  // one.
  for (const [partition, commit] of commits)
    positions.push(await positionOf(cluster, topic, partition, commit, edges.get(partition)!));
  return positions;
}

async function positionOf(
  cluster: KafkaCluster,
  topic: string,
  partition: number,
  { offset: committed, anchor }: AnchoredCommit,
  { oldest, next: end }: { oldest: number; next: number },
): Promise<LogPosition> {
  const read = Math.max(committed, (anchor?.offset ?? -1) + 1);
  const place = { partition, committed, read, oldest, end };
  const held = anchor !== null && anchor.offset >= oldest && anchor.offset < end;
  const same = !held || (await stands(cluster, topic, partition, anchor));
  if (read <= end && same) return { ...place, state: 'in order', goesOnAt: null };
  const goesOnAt = Math.max(
    oldest,
    Math.min(committed, await firstNew(cluster, topic, partition, anchor, end)),
  );
  return {
    ...place,
    state: read > end ? 'ends before the last record read' : 'has other records',
    goesOnAt,
  };
}

async function stands(
  cluster: KafkaCluster,
  topic: string,
  partition: number,
  anchor: Anchor,
): Promise<boolean> {
  const [leader] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  const broker = await cluster.findBroker({ nodeId: leader! });
  const { responses } = (await broker.fetch({
    isolationLevel: 0,
    maxWaitTime: 0,
    minBytes: 1,
    maxBytes: 1,
    topics: [{ topic, partitions: [{ partition, fetchOffset: String(anchor.offset), maxBytes: 1 }] }],
  })) as { responses: { partitions: { messages: FetchedMessage[] }[] }[] };
  const messages = responses.flatMap((one) => one.partitions).flatMap((one) => one.messages);
  const found = messages.find(({ offset }) => Number(offset) >= anchor.offset);
  return found !== undefined && isSame(anchorOf(found), anchor);
}

/** The first record appended after the last record read, by the brokers' clock: nobody has read it. */
async function firstNew(
  cluster: KafkaCluster,
  topic: string,
  partition: number,
  anchor: Anchor | null,
  end: number,
): Promise<number> {
  if (anchor === null) return end;
  const [found] = await cluster.fetchTopicsOffset([
    { topic, partitions: [{ partition }], fromTimestamp: anchor.appendedAt + 1 },
  ] as unknown as Parameters<KafkaCluster['fetchTopicsOffset']>[0]);
  const offset = Number(found?.partitions[0]?.offset ?? -1);
  return offset < 0 ? end : offset;
}

/**
 * Commits {@link LogPosition.goesOnAt} of the partition for the group. Waits until the sessions of killed members end,
 * and removes those that stay.
 * @param membersGoneMs longest wait for them
 * @throws LogUnavailableError if the group still has a member; RangeError if there is nothing to accept
 */
export async function acceptPosition(
  options: PositionsOptions,
  partition: number,
  logger: Logger | undefined,
  membersGoneMs = MEMBERS_GONE_MS,
): Promise<LogPosition> {
  const [position] = await readPositions(options, [partition]);
  if (position === undefined) throw new RangeError(`partition ${partition} has no commit`);
  if (position.goesOnAt === null)
    throw new RangeError(`partition ${partition} is in order: there is nothing to accept`);
  await commitOutside(options, { partition, goesOnAt: position.goesOnAt }, membersGoneMs, logger);
  logger?.warn({ group: options.groupId, topic: options.topic, ...position }, 'event log: accepted as it is');
  return position;
}

/**
 * A killed member stays in the group until its session ends. A restarted broker restarts the session. A rebalance in
 * progress also waits for the member.
 */
const MEMBERS_GONE_MS = SESSION_TIMEOUT_MS + REBALANCE_TIMEOUT_MS + 10_000;
/** A removed member that still works rejoins at its next heartbeat, and a rebalance admits it. */
const MEMBERS_BACK_MS = SESSION_TIMEOUT_MS + 10_000;
const PAUSE_MS = 1_000;

async function commitOutside(
  options: PositionsOptions,
  { partition, goesOnAt }: { partition: number; goesOnAt: number },
  membersGoneMs: number,
  logger: Logger | undefined,
): Promise<void> {
  const { groupId } = options;
  const coordinator = await options.cluster.findGroupCoordinator({ groupId });
  const commit = commitWithoutMember(coordinator, options, new Map([[partition, goesOnAt]]));
  if (await isTaken(commit, membersGoneMs)) return;
  const members = await putOut(coordinator, groupId);
  logger?.warn(
    { group: groupId, members },
    'event log: removed members that the brokers had kept in the group',
  );
  if (await isTaken(commit, MEMBERS_BACK_MS)) return;
  throw await stillHasMembers(coordinator, groupId, membersGoneMs + MEMBERS_BACK_MS);
}

/**
 * Commits these offsets, by partition, for a group without members. Does not remove members.
 * @param membersGoneMs longest wait for killed members
 * @throws LogUnavailableError if the group has a member
 */
export async function moveGroup(
  options: PositionsOptions,
  offsets: ReadonlyMap<number, number>,
  membersGoneMs = MEMBERS_BACK_MS,
): Promise<void> {
  const { groupId } = options;
  const coordinator = await options.cluster.findGroupCoordinator({ groupId });
  if (await isTaken(commitWithoutMember(coordinator, options, offsets), membersGoneMs)) return;
  throw await stillHasMembers(coordinator, groupId, membersGoneMs);
}

/** As Kafka's own tools: without a generation, which the brokers accept only for a group without members. */
function commitWithoutMember(
  coordinator: GroupBroker,
  { topic, groupId }: PositionsOptions,
  offsets: ReadonlyMap<number, number>,
) {
  const partitions = [...offsets].map(([partition, offset]) => ({
    partition,
    offset: String(offset),
    metadata: '',
  }));
  return () =>
    coordinator.offsetCommit({
      ...{ groupId, groupGenerationId: -1, memberId: '' },
      topics: [{ topic, partitions }],
    });
}

async function stillHasMembers(coordinator: GroupBroker, groupId: string, afterMs: number): Promise<Error> {
  return new LogUnavailableError(
    `group ${groupId} still has members after ${afterMs / 1000} s, ${await describeMembers(coordinator, groupId)}: stop them all, then repeat this`,
  );
}

/** Retries until the group has no members. @returns false: it had some at the deadline. */
async function isTaken(commit: () => Promise<unknown>, patienceMs: number): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(PAUSE_MS)) {
    try {
      await commit();
      return true;
    } catch (error) {
      if (!isFenced(error)) throw error;
      if (Date.now() >= deadline) return false;
    }
  }
}

/**
 * After quick restarts a broker may lead the group's partition twice in a row and then have no session timer for loaded
 * members. These stay in the group for ever, so they are removed; one that still works rejoins.
 * @returns their names
 */
async function putOut(coordinator: GroupBroker, groupId: string): Promise<string[]> {
  const { groups } = await coordinator.describeGroups({ groupIds: [groupId] });
  const names = groups.flatMap(({ members }) => members.map(({ memberId }) => memberId));
  for (const memberId of names) {
    await coordinator.leaveGroup({ groupId, memberId }).catch((error) => {
      if (!isUnknownMember(error)) throw error;
    });
  }
  return names;
}

async function describeMembers(coordinator: GroupBroker, groupId: string): Promise<string> {
  const { groups } = await coordinator.describeGroups({ groupIds: [groupId] });
  return groups
    .map(({ state, members }) => {
      const names = members.map(
        ({ memberId, clientHost }) => `${memberId} of ${clientHost.replace(/^\//, '')}`,
      );
      return `${state}: ${names.join(', ')}`;
    })
    .join('; ');
}

import { AssignerProtocol } from 'kafkajs';
import { assignPartitions } from '../assign-partitions.js';
import type { Commit } from '../event-log.js';
import { type AnchoredCommit, splitAnchor } from './anchor.js';
import { type GroupBroker, type KafkaCluster, partitionCount } from './cluster.js';
import { isFenced, isRebalance, isUnknownMember } from './errors.js';

/**
 * A member of a group: the requests of Kafka's classic group protocol. The consumer (`consumer.ts`) controls their
 * sequence.
 */

/** A member without heartbeats is removed after this time, and its partitions move. */
export const SESSION_TIMEOUT_MS = 6_000;
export const HEARTBEAT_INTERVAL_MS = 1_500;
/** Longest wait of a rebalance for a member with a running call. A slower one is removed and fenced. */
export const REBALANCE_TIMEOUT_MS = 60_000;

/** Sticky: a member's metadata lists its partitions, and it keeps them as far as the shares allow. */
const PROTOCOL_NAME = 'loglane-sticky';

/** Partitions of a member in one generation of the group. Commits include the generation, which the brokers check. */
export interface GroupAssignment {
  readonly generation: number;
  readonly memberId: string;
  /** Time of the request, from performance.now(): the brokers' session starts later. */
  readonly since: number;
  readonly partitions: readonly number[];
  /** The topic's number of partitions that the group's leader assigned: equal for all members of the generation. */
  readonly total: number;
  /** Whether this member is the group's leader. */
  readonly leads: boolean;
}

export interface GroupProtocol {
  /** Joins or rejoins; resolves when every member of the new generation has joined. */
  join(holding: readonly number[]): Promise<GroupAssignment>;
  heartbeat(grant: GroupAssignment): Promise<void>;
  /** One attempt, only under this assignment's generation. */
  commit(grant: GroupAssignment, partition: number, commit: Commit): Promise<void>;
  /** Partitions without a commit are absent. */
  committed(partitions: readonly number[]): Promise<Map<number, AnchoredCommit>>;
  leave(): Promise<void>;
}

export function createGroupProtocol(cluster: KafkaCluster, groupId: string, topic: string): GroupProtocol {
  let coordinator: GroupBroker | null = null;
  let memberId = '';

  async function ask<T>(request: (coordinator: GroupBroker) => Promise<T>): Promise<T> {
    coordinator ??= await cluster.findGroupCoordinator({ groupId });
    try {
      return await request(coordinator);
    } catch (error) {
      if (isUnknownMember(error)) memberId = '';
      // After any other error another coordinator may be responsible.
      if (!isRebalance(error) && !isFenced(error)) coordinator = null;
      throw error;
    }
  }

  async function join(holding: readonly number[]): Promise<GroupAssignment> {
    await partitionCount(cluster, topic);
    const metadata = AssignerProtocol.MemberMetadata.encode({
      version: 0,
      topics: [topic],
      userData: Buffer.from(JSON.stringify(holding)),
    });
    const joined = await ask((broker) =>
      broker.joinGroup({
        groupId,
        sessionTimeout: SESSION_TIMEOUT_MS,
        rebalanceTimeout: REBALANCE_TIMEOUT_MS,
        memberId,
        groupProtocols: [{ name: PROTOCOL_NAME, metadata }],
      }),
    );
    memberId = joined.memberId;
    const { generationId } = joined;
    const leads = joined.leaderId === memberId;
    if (leads) await cluster.refreshMetadata();
    const groupAssignment = leads
      ? shareOut(topic, await partitionCount(cluster, topic), joined.members)
      : [];
    const since = performance.now();
    const { memberAssignment } = await ask((broker) =>
      broker.syncGroup({ groupId, generationId, memberId, groupAssignment }),
    );
    const given = AssignerProtocol.MemberAssignment.decode(memberAssignment);
    const partitions = new Map(Object.entries(given?.assignment ?? {})).get(topic) ?? [];
    const total = totalOf(given?.userData) ?? (await partitionCount(cluster, topic));
    return { generation: generationId, memberId, since, partitions, total, leads };
  }

  return {
    join,
    async heartbeat({ generation, memberId: member }) {
      await ask((broker) => broker.heartbeat({ groupId, groupGenerationId: generation, memberId: member }));
    },
    async commit({ generation, memberId: member }, partition, { offset, metadata }) {
      const topics = [{ topic, partitions: [{ partition, offset: String(offset), metadata }] }];
      await ask((broker) =>
        broker.offsetCommit({ groupId, groupGenerationId: generation, memberId: member, topics }),
      );
    },
    async committed(partitions) {
      return ask((broker) => fetchCommits(broker, groupId, topic, partitions));
    },
    async leave() {
      if (memberId === '') return;
      await ask((broker) => broker.leaveGroup({ groupId, memberId }));
    },
  };
}

/** The group's commits; partitions without a commit are absent. */
export async function fetchCommits(
  coordinator: GroupBroker,
  groupId: string,
  topic: string,
  partitions: readonly number[],
): Promise<Map<number, AnchoredCommit>> {
  const found = new Map<number, AnchoredCommit>();
  if (partitions.length === 0) return found;
  const topics = [{ topic, partitions: partitions.map((partition) => ({ partition })) }];
  const { responses } = await coordinator.offsetFetch({ groupId, topics });
  for (const { partition, offset, metadata } of responses.flatMap((one) => one.partitions)) {
    if (Number(offset) >= 0) found.set(partition, { offset: Number(offset), ...splitAnchor(metadata ?? '') });
  }
  return found;
}

function shareOut(
  topic: string,
  partitions: number,
  members: readonly { memberId: string; memberMetadata: Buffer }[],
) {
  const holders = new Map<number, number>();
  members.forEach(({ memberMetadata }, at) => {
    for (const partition of heldBy(memberMetadata)) holders.set(partition, at);
  });
  const given = assignPartitions(partitions, [...members.keys()], holders);
  return members.map(({ memberId }, at) => {
    const own = [...given].filter(([, member]) => member === at).map(([partition]) => partition);
    const memberAssignment = AssignerProtocol.MemberAssignment.encode({
      version: 0,
      assignment: { [topic]: own },
      userData: Buffer.from(JSON.stringify({ partitions })),
    });
    return { memberId, memberAssignment };
  });
}

/** Null: the assignment does not contain it. */
function totalOf(userData: Buffer | undefined): number | null {
  const text = userData?.toString() ?? '';
  return text === '' ? null : (JSON.parse(text) as { partitions: number }).partitions;
}

function heldBy(memberMetadata: Buffer): readonly number[] {
  const text = AssignerProtocol.MemberMetadata.decode(memberMetadata)?.userData.toString() ?? '';
  return text === '' ? [] : (JSON.parse(text) as number[]);
}

import { isFenced, isRebalance } from './errors.js';
import {
  type GroupAssignment,
  type GroupProtocol,
  HEARTBEAT_INTERVAL_MS,
  REBALANCE_TIMEOUT_MS,
  SESSION_TIMEOUT_MS,
} from './group-protocol.js';

/** Keeps a assignment alive. */
export interface Heartbeats {
  /** Resolves when the group wants to share out anew, has put this member out, or `interrupt` was called. */
  readonly disturbed: Promise<void>;
  interrupt(): void;
  stop(): Promise<void>;
}

/**
 * Beats until it is stopped, also while calls run and during a rebalance: the brokers count it until the
 * member has joined again.
 *
 * A member that can not reach the brokers is not told that it is out, and one that keeps a rebalance waiting is told
 * with its next beat, when another may be at work already. So its own clock counts: from the sending of the last beat
 * that was answered to the end of the session, and from the last one that was answered without a rebalance to the end
 * of the group's patience. The brokers count from later moments, so that this member gives up first.
 * @param onFenced the group goes on without this member; may be called more than once
 * @param onTrouble the beat could not be sent; resolves when another may be tried
 */
export function startHeartbeats(
  protocol: GroupProtocol,
  grant: GroupAssignment,
  onFenced: () => void,
  onTrouble: (error: unknown) => Promise<void>,
): Heartbeats {
  let stopped = false;
  let wake = () => {};
  let interrupt = () => {};
  const disturbed = new Promise<void>((resolve) => {
    interrupt = resolve;
  });

  let session: NodeJS.Timeout | undefined;
  let patience: NodeJS.Timeout | undefined;
  const fence = () => {
    onFenced();
    interrupt();
  };
  /** @param sentAt as performance.now() has it */
  const answered = (sentAt: number, calm: boolean) => {
    if (stopped) return;
    const left = (whole: number) => sentAt + whole - performance.now();
    clearTimeout(session);
    session = setTimeout(fence, left(SESSION_TIMEOUT_MS));
    if (!calm) return;
    clearTimeout(patience);
    patience = setTimeout(fence, left(REBALANCE_TIMEOUT_MS));
  };

  /** Its answer came when the process had hung: a timer would say so too late for who goes on at once. */
  const outlived = (sentAt: number) => performance.now() - sentAt >= SESSION_TIMEOUT_MS;

  async function beat(): Promise<void> {
    answered(grant.since, true);
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, HEARTBEAT_INTERVAL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (stopped) return;
      const sentAt = performance.now();
      try {
        await protocol.heartbeat(grant);
        if (outlived(sentAt)) return fence();
        answered(sentAt, true);
      } catch (error) {
        if (isFenced(error) || (isRebalance(error) && outlived(sentAt))) return fence();
        if (isRebalance(error)) {
          answered(sentAt, false);
          interrupt();
        } else if (!stopped) await onTrouble(error);
      }
    }
  }

  const ended = beat();
  return {
    disturbed,
    interrupt,
    async stop() {
      stopped = true;
      clearTimeout(session);
      clearTimeout(patience);
      wake();
      await ended;
    },
  };
}

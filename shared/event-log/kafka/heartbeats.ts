import { isFenced, isRebalance } from './errors.js';
import {
  type GroupAssignment,
  type GroupProtocol,
  HEARTBEAT_INTERVAL_MS,
  REBALANCE_TIMEOUT_MS,
  SESSION_TIMEOUT_MS,
} from './group-protocol.js';

/** Keeps an assignment alive. */
export interface Heartbeats {
  /** Resolves when the group rebalances, has removed this member, or `interrupt` was called. */
  readonly disturbed: Promise<void>;
  interrupt(): void;
  stop(): Promise<void>;
}

/**
 * Sends heartbeats until it is stopped, also while calls run and during a rebalance: the brokers expect them until the
 * member has rejoined.
 *
 * A member that cannot reach the brokers does not learn that it was removed. A member that delays a rebalance learns it
 * with its next heartbeat, when another may already be at work. So it uses its own clock. The session counts from the
 * sending of the last answered heartbeat. The rebalance timeout counts from the last one answered without a rebalance.
 * The brokers count from later times, so this member gives up first.
 * @param onFenced the group continues without this member; may be called more than once
 * @param onTrouble the heartbeat could not be sent; resolves when it may be retried
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
  /** @param sentAt from performance.now() */
  const answered = (sentAt: number, calm: boolean) => {
    if (stopped) return;
    const left = (whole: number) => sentAt + whole - performance.now();
    clearTimeout(session);
    session = setTimeout(fence, left(SESSION_TIMEOUT_MS));
    if (!calm) return;
    clearTimeout(patience);
    patience = setTimeout(fence, left(REBALANCE_TIMEOUT_MS));
  };

  /** The process hung until the response arrived. A timer would fire too late for code that continues immediately. */
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

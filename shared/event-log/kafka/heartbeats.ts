import { isFenced, isRebalance } from './errors.js';
import { type GroupProtocol, HEARTBEAT_INTERVAL_MS, type Lease } from './group-protocol.js';

/** Keeps a lease alive. */
export interface Heartbeats {
  /** Resolves when the group wants to share out anew, has put this member out, or `interrupt` was called. */
  readonly disturbed: Promise<void>;
  interrupt(): void;
  stop(): Promise<void>;
}

/**
 * Beats until it is stopped, also while calls run and during a rebalance: the brokers count it until the
 * member has joined again.
 * @param onFenced the group has gone on without this member
 * @param onTrouble the beat could not be sent; resolves when another may be tried
 */
export function startHeartbeats(
  protocol: GroupProtocol,
  lease: Lease,
  onFenced: () => void,
  onTrouble: (error: unknown) => Promise<void>,
): Heartbeats {
  let stopped = false;
  let wake = () => {};
  let interrupt = () => {};
  const disturbed = new Promise<void>((resolve) => {
    interrupt = resolve;
  });

  async function beat(): Promise<void> {
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, HEARTBEAT_INTERVAL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (stopped) return;
      try {
        await protocol.heartbeat(lease);
      } catch (error) {
        if (isFenced(error)) {
          onFenced();
          interrupt();
          return;
        }
        if (isRebalance(error)) interrupt();
        else if (!stopped) await onTrouble(error);
      }
    }
  }

  const ended = beat();
  return {
    disturbed,
    interrupt,
    async stop() {
      stopped = true;
      wake();
      await ended;
    },
  };
}

import { type EventLog, LogUnavailableError } from '../../shared/event-log/event-log.js';
import type { Logger } from '../../shared/logging/log.js';

export interface AppendWatch {
  /** The same log, with watched appends. */
  readonly log: EventLog;
  /** Whether the log took the last append, or has answered since a failed one. */
  taking(): boolean;
  stop(): void;
}

export interface WatchOptions {
  readonly logger: Logger;
  /** Interval of probes of a log that answers. */
  readonly everyMs?: number;
  /** Interval of probes of a log that does not. */
  readonly retryMs?: number;
}

/**
 * Watches whether the log takes appends, so that uploads can be sent elsewhere. The port has no call for that, so the
 * probe reads the log's offsets: like appends, it needs a leader of every partition. A log that answers the probe but
 * refuses appends counts as taking until the next refusal.
 */
export function watchAppends(log: EventLog, options: WatchOptions): AppendWatch {
  const { logger, everyMs = 5_000, retryMs = 1_000 } = options;
  let taking = true;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function turn(next: boolean, error?: unknown): void {
    if (next !== taking) {
      if (next) logger.info('the log takes appends again');
      else logger.error({ err: error }, 'the log takes no appends');
    }
    taking = next;
  }

  function ask(afterMs: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      log.offsets('requests.raw').then(
        () => {
          turn(true);
          ask(everyMs);
        },
        (error: unknown) => {
          turn(false, error);
          ask(retryMs);
        },
      );
    }, afterMs).unref();
  }

  ask(everyMs);
  return {
    log: {
      ...log,
      async append(...given) {
        try {
          const positions = await log.append(...given);
          turn(true);
          return positions;
        } catch (error) {
          if (error instanceof LogUnavailableError) {
            turn(false, error);
            ask(retryMs);
          }
          throw error;
        }
      },
    },
    taking: () => taking,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

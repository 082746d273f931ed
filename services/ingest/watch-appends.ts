import { type EventLog, LogUnavailableError } from '../../shared/event-log/event-log.js';
import type { Logger } from '../../shared/logging/log.js';

export interface AppendWatch {
  /** The log as it is, its appends watched. */
  readonly log: EventLog;
  /** Whether the log took the last append, or answers since it did not. */
  taking(): boolean;
  stop(): void;
}

export interface WatchOptions {
  readonly logger: Logger;
  /** Between questions to a log that answers. */
  readonly everyMs?: number;
  /** Between questions to one that does not. */
  readonly retryMs?: number;
}

/**
 * Whether uploads are worth being sent here. The port has no question for it, so the log is asked for its offsets: that
 * needs a leader of every partition, as appends do. A log that answers it and yet refuses appends comes back as taking
 * until the next refusal.
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

import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { createStoredThrough, lookAtUploads } from '../../../shared/event-log/stored-through.js';
import { inTime } from '../../../shared/service/in-time.js';
import type { Service } from '../../../shared/service/service.js';
import type { KnownUploads } from './known-uploads.js';

/** Which websites have accepted lines that are not in the store yet. */
export interface PendingUploads {
  /**
   * The time up to which all uploads are stored, in milliseconds since the epoch, where the website has sent lines since; 0: not known yet.
   * Null: they are stored, or the log can not be asked.
   */
  storedThrough(websiteId: string): Promise<number | null>;
}

/** For a process that hears of no uploads. */
export const noPendingUploads: PendingUploads = { storedThrough: async () => null };

const LOOK_EVERY_MS = SECOND_MS;
/** A call waits no longer for the log. */
const LONGEST_LOOK_MS = SECOND_MS;
/** Ingest reports a website that sends on and on once a minute: until the next report its uploads are not known. */
const UNREPORTED_MS = 2 * MINUTE_MS;
/** Enrichers that keep up are no further behind. */
const KEEPING_UP_MS = 3 * SECOND_MS;

/** Looks at the log by the second, and where a website's last upload is newer than that. */
export function followPendingUploads(
  { now, onStop }: Pick<Service, 'now' | 'onStop'>,
  { log, uploads }: { readonly log: EventLog; readonly uploads: KnownUploads },
): PendingUploads & { look(): Promise<void> } {
  const take = createStoredThrough();
  /** Null before the first look. */
  let through: number | null = null;
  let looking: Promise<void> | null = null;

  /** Calls share a look. While the log is away, what is known stands. */
  function look(): Promise<void> {
    looking ??= lookAtUploads(log, now())
      .then(
        (seen) => {
          through = take(seen);
        },
        () => {},
      )
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  onStop(async () => clearInterval(timer));

  return {
    look,
    async storedThrough(websiteId) {
      const at = uploads.recent(websiteId, now()).lastAcceptedAt;
      if (at === null || (through !== null && !isPending(at, through, now()))) return null;
      await inTime(look(), LONGEST_LOOK_MS, undefined);
      return through !== null && isPending(at, through, now()) ? through : null;
    },
  };
}

/** @param at when the last known upload with accepted lines ended. */
function isPending(at: number, through: number, now: number): boolean {
  return at >= through || (now - at < UNREPORTED_MS && now - through > KEEPING_UP_MS);
}

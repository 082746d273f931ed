import { SECOND_MS } from '../../../shared/durations.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { createStoredThrough, lookAtUploads } from '../../../shared/event-log/stored-through.js';
import { inTime } from '../../../shared/pacing/in-time.js';
import type { Service } from '../../../shared/service/service.js';
import type { KnownUploads } from './known-uploads.js';

/** Finds websites with accepted lines that are not stored yet. */
export interface PendingUploads {
  /**
   * @returns the time up to which all uploads are stored, in milliseconds since the epoch, if the website has sent lines since then; 0:
   * not known yet. Null: all its lines are stored, or the log is not available.
   */
  storedThrough(websiteId: string): Promise<number | null>;
}

/** For a process that receives no upload records. */
export const noPendingUploads: PendingUploads = { storedThrough: async () => null };

export interface FollowedUploads extends PendingUploads {
  /** Notes that lines of the website were just accepted. */
  notify(websiteId: string): void;
  look(): Promise<void>;
}

const LOOK_EVERY_MS = SECOND_MS;
/** Delay of a look at the log after a notification of a website. Later uploads of others are not waited for. */
const LOOK_AFTER_MS = 50;
/** Maximum time that a call waits for the log. */
const LONGEST_LOOK_MS = SECOND_MS;

/** Looks at the log every second, after notifications, and if a website's last accepted lines are newer than the stored ones. */
export function followPendingUploads(
  { now, onStop }: Pick<Service, 'now' | 'onStop'>,
  { log, uploads }: { readonly log: EventLog; readonly uploads: KnownUploads },
): FollowedUploads {
  const take = createStoredThrough();
  /** Time of the last notification by website; an entry is deleted when its lines are stored. */
  const notifiedAt = new Map<string, number>();
  /** Null before the first look. */
  let through: number | null = null;
  let looking: Promise<void> | null = null;
  let soon: NodeJS.Timeout | null = null;

  function lookedThrough(at: number): void {
    through = at;
    for (const [websiteId, last] of notifiedAt) if (last < at) notifiedAt.delete(websiteId);
  }

  /** Concurrent calls share a look. While the log is unavailable, the last state stays. */
  function look(): Promise<void> {
    looking ??= lookAtUploads(log, now())
      .then(
        (seen) => lookedThrough(take(seen)),
        () => {},
      )
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  function lookSoon(): void {
    soon ??= setTimeout(() => {
      soon = null;
      void look();
    }, LOOK_AFTER_MS);
    soon.unref();
  }

  /** @returns whether the website's own last lines may not be stored. */
  function isPending(websiteId: string): boolean {
    const ended = uploads.recent(websiteId, now()).lastAcceptedAt;
    const at = Math.max(
      notifiedAt.get(websiteId) ?? Number.NEGATIVE_INFINITY,
      ended ?? Number.NEGATIVE_INFINITY,
    );
    return at >= (through ?? 0);
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  onStop(async () => {
    clearInterval(timer);
    if (soon !== null) clearTimeout(soon);
  });

  return {
    look,
    notify(websiteId) {
      notifiedAt.set(websiteId, now());
      lookSoon();
    },
    async storedThrough(websiteId) {
      if (!isPending(websiteId)) return null;
      await inTime(look(), LONGEST_LOOK_MS, undefined);
      return through !== null && isPending(websiteId) ? through : null;
    },
  };
}

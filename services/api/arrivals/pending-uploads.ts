import { SECOND_MS } from '../../../shared/durations.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { createStoredThrough, lookAtUploads } from '../../../shared/event-log/stored-through.js';
import { inTime } from '../../../shared/pacing/in-time.js';
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

export interface FollowedUploads extends PendingUploads {
  /** Lines of the website were accepted a moment ago. */
  heard(websiteId: string): void;
  look(): Promise<void>;
}

const LOOK_EVERY_MS = SECOND_MS;
/** After news of a website: what others send later is not in that look, and is not waited for. */
const LOOK_AFTER_MS = 50;
/** A call waits no longer for the log. */
const LONGEST_LOOK_MS = SECOND_MS;

/** Looks at the log by the second and after news, and where a website's last accepted lines are newer than what is stored. */
export function followPendingUploads(
  { now, onStop }: Pick<Service, 'now' | 'onStop'>,
  { log, uploads }: { readonly log: EventLog; readonly uploads: KnownUploads },
): FollowedUploads {
  const take = createStoredThrough();
  /** When the last lines of a website were heard of; those that are stored are forgotten. */
  const heardAt = new Map<string, number>();
  /** Null before the first look. */
  let through: number | null = null;
  let looking: Promise<void> | null = null;
  let soon: NodeJS.Timeout | null = null;

  function lookedThrough(at: number): void {
    through = at;
    for (const [websiteId, heard] of heardAt) if (heard < at) heardAt.delete(websiteId);
  }

  /** Calls share a look. While the log is away, what is known stands. */
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

  /** Whether the website's own last lines may not be stored. */
  function isPending(websiteId: string): boolean {
    const ended = uploads.recent(websiteId, now()).lastAcceptedAt;
    const at = Math.max(
      heardAt.get(websiteId) ?? Number.NEGATIVE_INFINITY,
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
    heard(websiteId) {
      heardAt.set(websiteId, now());
      lookSoon();
    },
    async storedThrough(websiteId) {
      if (!isPending(websiteId)) return null;
      await inTime(look(), LONGEST_LOOK_MS, undefined);
      return through !== null && isPending(websiteId) ? through : null;
    },
  };
}

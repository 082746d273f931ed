import { SECOND_MS } from '../../../shared/durations.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import { createFairQueue, type FairQueue } from '../../../shared/pacing/fair-queue.js';
import type {
  DeliveryChannel,
  DueDelivery,
} from '../../../shared/reads/notifications/notification-deliveries.js';
import type { Assignment } from '../runner/assignments.js';
import { shareNext } from '../runner/share-next.js';
import { type AttemptOptions, createAttempt } from './attempt-delivery.js';

export interface DispatcherOptions extends AttemptOptions {
  /** Deliveries that are due, of all websites. */
  readonly readDue: () => Promise<readonly DueDelivery[]>;
  /** undefined: another replica owns the website's partition. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
}

/** The concurrency limits of a lane: in total and per organisation. Our mail server has its own lane, so slow webhooks do not delay mail. */
interface Lane {
  readonly all: number;
  readonly ofOrganisation: number;
}
const lanes: Readonly<Record<'mail' | 'web', Lane>> = {
  mail: { all: 4, ofOrganisation: 2 },
  web: { all: 32, ofOrganisation: 2 },
};
const laneOf = (channel: DeliveryChannel) => (channel === 'webhook' ? 'web' : 'mail');

/** How long attempts in progress may continue after the partition was revoked. */
const GRACE_MS = 5 * SECOND_MS;
/**
 * How long after its start an attempt may continue if another replica owns the partition already. A process loses it at the earliest 4.5 s after its last
 * heartbeat (SESSION_TIMEOUT_MS less HEARTBEAT_INTERVAL_MS in shared/event-log/kafka/group-protocol.ts). So after a hang, every attempt is older.
 */
const LOST_GRACE_MS = 3 * SECOND_MS;

interface Running {
  readonly due: DueDelivery;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly assignment: Assignment;
  readonly giveUp: AbortController;
  readonly ended: Promise<void>;
}

/** A lane's queue. It alternates between organisations, and between the websites of each. */
function createWaiting() {
  const turns = createFairQueue<null>();
  const websitesOf = new Map<string, FairQueue<DueDelivery>>();
  return {
    size: turns.size,
    add(due: DueDelivery): void {
      const websites = websitesOf.get(due.organisationId) ?? createFairQueue<DueDelivery>();
      websitesOf.set(due.organisationId, websites);
      websites.add(due.websiteId, due);
      turns.add(due.organisationId, null);
    },
    take(mayServe: (organisationId: string) => boolean): DueDelivery | null {
      const turn = turns.take(mayServe);
      if (turn === null) return null;
      const websites = websitesOf.get(turn.owner)!;
      const next = websites.take(() => true);
      if (websites.size() === 0) websitesOf.delete(turn.owner);
      return next?.item ?? null;
    },
  };
}

/** Sends due deliveries. Each organisation has a few places, so a slow or dead receiver delays no other organisation's messages. */
export function createDispatcher(options: DispatcherOptions) {
  const { readDue, assignmentOf, now, logger } = options;
  const attempt = createAttempt(options);
  const queues = { mail: createWaiting(), web: createWaiting() };
  const queued = new Set<string>();
  const running = new Map<string, Running>();

  function countRunning(lane: keyof typeof lanes, organisationId?: string): number {
    return [...running.values()].filter(
      ({ due }) =>
        laneOf(due.channel) === lane && (organisationId ?? due.organisationId) === due.organisationId,
    ).length;
  }

  function fill(): void {
    for (const lane of ['mail', 'web'] as const) {
      while (countRunning(lane) < lanes[lane].all) {
        const next = queues[lane].take((owner) => countRunning(lane, owner) < lanes[lane].ofOrganisation);
        if (next === null) break;
        queued.delete(next.id);
        begin(next);
      }
    }
  }

  function begin(due: DueDelivery): void {
    const assignment = assignmentOf(due.websiteId);
    if (assignment === undefined || assignment.leaving.signal.aborted) return;
    const giveUp = new AbortController();
    const ended = attempt(due, assignment, giveUp.signal)
      .catch((error: unknown) =>
        warnLimited(logger, { err: error, delivery: due.id }, 'a delivery is retried later'),
      )
      .finally(() => {
        running.delete(due.id);
        fill();
      });
    running.set(due.id, { due, since: now(), assignment, giveUp, ended });
  }

  async function look(): Promise<void> {
    for (const due of await readDue()) {
      if (queued.has(due.id) || running.has(due.id) || assignmentOf(due.websiteId) === undefined) continue;
      queued.add(due.id);
      queues[laneOf(due.channel)].add(due);
    }
    fill();
  }

  return {
    running: () => running.size,
    waiting: () => queues.mail.size() + queues.web.size(),
    /** Reads the due deliveries and starts as many as there are places. Concurrent calls share one run. @throws the store's error */
    scan: shareNext(look),
    /**
     * Starts nothing more of the assignment, which is leaving. Resolves when its attempts have ended or were cancelled.
     * @param isLost another replica owns it already. A process that hung until then sends no message: the other replica has sent it
     */
    async leave(assignment: Assignment, isLost: boolean): Promise<void> {
      const own = [...running.values()].filter((one) => one.assignment === assignment);
      const timers = own.map(({ since, giveUp }) => {
        const left = isLost ? LOST_GRACE_MS - (now() - since) : GRACE_MS;
        const end = () => giveUp.abort(new Error('the website is left to another replica'));
        if (left <= 0) return end();
        return setTimeout(end, left);
      });
      await Promise.all(own.map(({ ended }) => ended));
      for (const timer of timers) if (timer !== undefined) clearTimeout(timer);
    },
  };
}

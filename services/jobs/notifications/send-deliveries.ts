import { SECOND_MS } from '../../../shared/durations.js';
import { createFairQueue } from '../../../shared/fair-queue.js';
import type { DeliveryChannel, DueDelivery } from '../../../shared/queries/notification-deliveries.js';
import type { Assignment } from '../runner/assignments.js';
import { type AttemptOptions, createAttempt } from './attempt-delivery.js';

export interface SenderOptions extends AttemptOptions {
  /** What is to be sent by now, whoever owns it. */
  readonly readDue: () => Promise<readonly DueDelivery[]>;
  /** undefined: another replica has the website's partition. */
  readonly assignmentOf: (websiteId: string) => Assignment | undefined;
}

/** Places of one kind: those of all, and most of one organisation. Our mail server has its own, so that customers' receivers take none of them. */
interface Lane {
  readonly all: number;
  readonly ofOrganisation: number;
}
const lanes: Readonly<Record<'mail' | 'web', Lane>> = {
  mail: { all: 4, ofOrganisation: 2 },
  web: { all: 32, ofOrganisation: 2 },
};
const laneOf = (channel: DeliveryChannel) => (channel === 'webhook' ? 'web' : 'mail');

/** What is under way when the partition goes is let end for so long. */
const GRACE_MS = 5 * SECOND_MS;

interface Running {
  readonly due: DueDelivery;
  readonly assignment: Assignment;
  readonly giveUp: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Sends what is due. Organisations take turns, each with a few places, so that a receiver that is slow or dead holds up nobody else's messages.
 */
export function createSender(options: SenderOptions) {
  const { readDue, assignmentOf, logger } = options;
  const attempt = createAttempt(options);
  const queues = { mail: createFairQueue<DueDelivery>(), web: createFairQueue<DueDelivery>() };
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
        queued.delete(next.item.id);
        begin(next.item);
      }
    }
  }

  function begin(due: DueDelivery): void {
    const assignment = assignmentOf(due.websiteId);
    if (assignment === undefined || assignment.leaving.signal.aborted) return;
    const giveUp = new AbortController();
    const ended = attempt(due, assignment, giveUp.signal)
      .catch((error: unknown) =>
        logger.warn({ err: error, delivery: due.id }, 'a delivery is left for later'),
      )
      .finally(() => {
        running.delete(due.id);
        fill();
      });
    running.set(due.id, { due, assignment, giveUp, ended });
  }

  return {
    running: () => running.size,
    waiting: () => queues.mail.size() + queues.web.size(),
    /** Looks for what is due and begins what there are places for. @throws what the store said. */
    async scan(): Promise<void> {
      for (const due of await readDue()) {
        if (queued.has(due.id) || running.has(due.id) || assignmentOf(due.websiteId) === undefined) continue;
        queued.add(due.id);
        queues[laneOf(due.channel)].add(due.organisationId, due);
      }
      fill();
    },
    /** Begins nothing more of the assignment, which is leaving; resolves when what was under way has ended, or was given up. */
    async leave(assignment: Assignment): Promise<void> {
      const own = [...running.values()].filter((one) => one.assignment === assignment);
      const timer = setTimeout(() => {
        for (const { giveUp } of own) giveUp.abort(new Error('the website is left to another replica'));
      }, GRACE_MS);
      await Promise.all(own.map(({ ended }) => ended));
      clearTimeout(timer);
    },
  };
}

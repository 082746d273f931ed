import { DAY_MS } from '../../../shared/durations.js';
import { warnLimited } from '../../../shared/logging/limit-warnings.js';
import type { Logger } from '../../../shared/logging/log.js';
import type { NewDelivery } from '../../../shared/reads/notifications/notification-deliveries.js';
import { digestOf, dueDigest } from './digest.js';
import type { MessageAlert } from './messages/alert-traces.js';
import { type Audience, digestDeliveries } from './messages/make-deliveries.js';

export interface DigestOptions {
  /** Audiences of the websites that this replica owns. */
  readonly audiences: () => Iterable<Audience>;
  readonly readAlerts: (day: { websiteId: string; from: number; to: number }) => Promise<MessageAlert[]>;
  readonly queue: (deliveries: readonly NewDelivery[]) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * @returns a function that queues every digest that is due. A digest that is queued does not change, because day and user identify it. So each owner of
 * the website may call it any number of times: no day has two.
 */
export function createDigests({ audiences, readAlerts, queue, now, logger }: DigestOptions) {
  /** The last day that was processed, by website, and when that was. */
  const done = new Map<string, { readonly day: string; readonly at: number }>();
  let running = false;

  async function queueDigest(audience: Audience): Promise<void> {
    const { websiteId, settings, canMail } = audience;
    if (!canMail || !settings.alerts_enabled || !settings.digest_enabled) return;
    const due = dueDigest(settings, now());
    if (due === null || done.get(websiteId)?.day === due.day) return;
    const content = digestOf(await readAlerts({ websiteId, ...due }), due, settings);
    const deliveries = content === null ? [] : digestDeliveries(content, due.day, audience);
    if (deliveries.length > 0) await queue(deliveries);
    done.set(websiteId, { day: due.day, at: now() });
  }

  return async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      for (const [websiteId, { at }] of done) if (now() - at > 2 * DAY_MS) done.delete(websiteId);
      for (const audience of audiences())
        await queueDigest(audience).catch((error: unknown) =>
          warnLimited(logger, { err: error, website: audience.websiteId }, 'digest not queued yet'),
        );
    } finally {
      running = false;
    }
  };
}

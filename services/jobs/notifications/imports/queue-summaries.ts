import type { Logger } from '../../../../shared/logging/log.js';
import type {
  Delivery,
  NewDelivery,
} from '../../../../shared/reads/notifications/notification-deliveries.js';
import { shareNext } from '../../runner/share-next.js';
import type { MessageAlert } from '../messages/alert-traces.js';
import type { Audience } from '../messages/make-deliveries.js';
import { type DueSummary, dueSummaries } from './plan-summaries.js';
import { summaryDeliveries } from './summary-deliveries.js';

export interface SummaryOptions {
  /** Websites with alerts that wait for a summary, also those of other replicas. */
  readonly readImporting: () => Promise<readonly string[]>;
  readonly readWaiting: (websiteId: string) => Promise<Delivery[]>;
  /** The alerts whose waiting rows have this name. */
  readonly readSummarised: (wanted: { websiteId: string; summary: string }) => Promise<MessageAlert[]>;
  /** undefined: the website is erased, or another replica owns it. */
  readonly audienceOf: (websiteId: string) => Audience | undefined;
  /** Called after messages were queued. */
  readonly onQueued: () => void;
  readonly queue: (deliveries: readonly NewDelivery[]) => Promise<void>;
  /** All of them or none. */
  readonly recordAll: (deliveries: readonly Delivery[]) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * @returns a function that queues the summaries that are due. It names the rows of a summary, then queues the messages, then ends the rows. If the process
 * is killed between two steps, the next owner finds the named rows and queues the same messages. Later alerts go into another summary.
 */
export function createSummaries(options: SummaryOptions) {
  const { readImporting, readWaiting, readSummarised, audienceOf, queue, onQueued, recordAll, now, logger } =
    options;

  async function named({ rows, name, isNamed }: DueSummary): Promise<readonly Delivery[]> {
    if (isNamed) return rows;
    const after = rows.map((row) => ({ ...row, revision: row.revision + 1, content: name }));
    await recordAll(after);
    return after;
  }

  async function putIn(websiteId: string): Promise<void> {
    for (const summary of dueSummaries(await readWaiting(websiteId), now())) {
      const rows = await named(summary);
      const alerts = await readSummarised({ websiteId, summary: summary.name });
      const audience = audienceOf(websiteId);
      if (audience === undefined) return;
      const deliveries = summaryDeliveries(alerts, summary.name, audience);
      if (deliveries.length > 0) await queue(deliveries);
      await recordAll(
        rows.map((row) => ({ ...row, revision: row.revision + 1, status: 'sent', content: '' })),
      );
      if (deliveries.length > 0) onQueued();
    }
  }

  async function look(): Promise<void> {
    for (const websiteId of await readImporting()) {
      if (audienceOf(websiteId) === undefined) continue;
      await putIn(websiteId).catch((error: unknown) =>
        logger.warn({ err: error, website: websiteId }, 'summary of imported logs not queued yet'),
      );
    }
  }

  return shareNext(() =>
    look().catch((error: unknown) => {
      logger.warn({ err: error }, 'alerts of imported logs cannot be read yet');
    }),
  );
}

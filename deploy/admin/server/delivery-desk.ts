import { z } from 'zod';
import { PublicError } from '../../../shared/errors.js';
import {
  type Delivery,
  deliveryStatuses,
  insertDeliveries,
  listDeliveries,
} from '../../../shared/reads/notifications/notification-deliveries.js';
import type { StoredData } from '../erasure/stored-data.js';

/** Lists and retries messages about alerts and exports for the operator. */

/** Filters of the list. */
export const deliveryListing = z.strictObject({
  status: z.enum(deliveryStatuses).default('dead'),
  websiteId: z.string().optional(),
});

/** Selects one message, all of a website, or all. */
export const deliveryRetry = z.union([
  z.strictObject({ id: z.string() }),
  z.strictObject({ all: z.literal(true), websiteId: z.string().optional() }),
]);

/** A message without its content; a webhook's target is only its host. */
export type ListedDelivery = Pick<
  Delivery,
  'id' | 'websiteId' | 'channel' | 'target' | 'alertId' | 'status' | 'attempts' | 'reason'
> & { readonly queuedAt: string; readonly nextAttemptAt: string | null };

export interface DeliveryDesk {
  /** The newest first, 1,000 at most. */
  list(wanted: z.output<typeof deliveryListing>): Promise<ListedDelivery[]>;
  /**
   * Retries dead messages for a day; the first attempt follows within 15 seconds. At most 1,000 messages.
   * @returns the messages after the change. @throws PublicError `not_found` if no dead message matches.
   */
  retry(wanted: z.output<typeof deliveryRetry>): Promise<ListedDelivery[]>;
}

const MOST = 1_000;

export function createDeliveryDesk({
  clickhouse,
  now,
}: Pick<StoredData, 'clickhouse' | 'now'>): DeliveryDesk {
  return {
    list: async (wanted) => (await listDeliveries(clickhouse, wanted, MOST)).map(toListed),
    async retry(wanted) {
      const { id, websiteId } = { id: undefined, websiteId: undefined, ...wanted };
      const dead = await listDeliveries(clickhouse, { status: 'dead', id, websiteId }, MOST);
      if (dead.length === 0) throw new PublicError('not_found', 'there is no such dead delivery');
      const at = now();
      const again = dead.map(
        (each): Delivery => ({
          ...each,
          revision: each.revision + 1,
          status: 'pending',
          attempts: 0,
          queuedAt: at,
          nextAttemptAt: at,
        }),
      );
      await insertDeliveries(clickhouse, again);
      return again.map(toListed);
    },
  };
}

function toListed(delivery: Delivery): ListedDelivery {
  const { id, websiteId, channel, target, alertId, status, attempts, reason } = delivery;
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    id,
    websiteId,
    channel,
    target,
    alertId,
    status,
    attempts,
    reason,
    queuedAt: at(delivery.queuedAt),
    nextAttemptAt: status === 'pending' ? at(delivery.nextAttemptAt) : null,
  };
}

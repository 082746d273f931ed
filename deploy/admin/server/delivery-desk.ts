import { z } from 'zod';
import { PublicError } from '../../../shared/errors.js';
import {
  type Delivery,
  deliveryStatuses,
  insertDeliveries,
  listDeliveries,
} from '../../../shared/reads/notifications/notification-deliveries.js';
import type { StoredData } from '../erasure/stored-data.js';

/** Where the operator looks after messages about alerts that could not be delivered. */

/** `status` of those that are listed: as the command line says it. */
export const deliveryListing = z.strictObject({
  status: z.enum(deliveryStatuses).default('dead'),
  websiteId: z.string().optional(),
});

/** One, or all of a website, or all there are. */
export const deliveryRetry = z.union([
  z.strictObject({ id: z.string() }),
  z.strictObject({ all: z.literal(true), websiteId: z.string().optional() }),
]);

/** What the operator is shown: not what the message tells, and of a webhook the host alone. */
export type ListedDelivery = Pick<
  Delivery,
  'id' | 'websiteId' | 'channel' | 'target' | 'alertId' | 'status' | 'attempts' | 'reason'
> & { readonly queuedAt: string; readonly nextAttemptAt: string | null };

export interface DeliveryDesk {
  /** The newest first, 1,000 at most. */
  list(wanted: z.output<typeof deliveryListing>): Promise<ListedDelivery[]>;
  /**
   * Has dead ones tried again for a day, within a quarter of a minute; 1,000 at most.
   * @returns them as they stand then. @throws PublicError `not_found` where none is meant.
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

import { z } from 'zod';
import { commandKind } from '../domain/command.js';
import { eventKind, loneEvent } from '../domain/event.js';
import { unknownWebsite } from './website.js';

/** Decisions about alerts (spec §3.3). Alerts and their acknowledgements are stored in ClickHouse. */

export const alertAcknowledged = eventKind({
  aggregate: 'alert',
  type: 'alert.acknowledged',
  schema: z.object({ websiteId: z.string() }),
  evolve() {},
});

/** The caller has checked in ClickHouse that the alert exists. Idempotent. */
export const acknowledgeAlert = commandKind({
  schema: z.strictObject({ websiteId: z.string(), alertId: z.string() }),
  decide(state, { websiteId, alertId }) {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    return {
      events: [loneEvent(alertAcknowledged, alertId, { websiteId })],
      answer: (): { alertId: string } => ({ alertId }),
    };
  },
});

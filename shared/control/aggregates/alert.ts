import { z } from 'zod';
import { commandKind } from '../domain/command.js';
import { eventKind, loneEvent } from '../domain/event.js';
import { unknownWebsite } from './website.js';

/** What people do with alerts (spec §3.3). Alerts themselves live in ClickHouse, and so do their acknowledgements. */

export const alertAcknowledged = eventKind({
  aggregate: 'alert',
  type: 'alert.acknowledged',
  schema: z.object({ websiteId: z.string() }),
  evolve() {},
});

/** Whether the alert is there is ClickHouse's to say: the caller has looked. Acknowledged twice is acknowledged. */
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

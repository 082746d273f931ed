import { alertAcknowledged } from '../../../shared/control/aggregates/alert.js';
import type { ProjectedTable } from './projection.js';

/** `alert_acknowledgements`: the last acknowledgement of each alert. */
export const alertAcknowledgements: ProjectedTable = {
  table: 'alert_acknowledgements',
  rowOf({ type, aggregateId, data }, { at, by }) {
    if (type !== alertAcknowledged.type) return null;
    const { websiteId } = alertAcknowledged.schema.parse(data);
    return {
      website_id: websiteId,
      alert_id: aggregateId,
      acknowledged_at: at.replace('T', ' ').replace('Z', ''),
      acknowledged_by: by,
    };
  },
};

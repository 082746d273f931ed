import { alertAcknowledged } from '../../../shared/control/aggregates/alert.js';
import type { ProjectedTable } from './projection.js';

/** `alert_acknowledgements`: the last one of each alert. */
export const alertAcknowledgements: ProjectedTable = {
  table: 'alert_acknowledgements',
  columns: ['website_id', 'alert_id', 'acknowledged_at', 'log_offset'],
  rowOf({ type, aggregateId, data }, { at }) {
    if (type !== alertAcknowledged.type) return null;
    const { websiteId } = alertAcknowledged.schema.parse(data);
    return [websiteId, aggregateId, at.replace('T', ' ').replace('Z', '')];
  },
};

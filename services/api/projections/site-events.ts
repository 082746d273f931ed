import { organisationErased, websiteErased } from '../../../shared/control/aggregates/erasure.js';
import { siteEventDeleted, siteEventRecorded } from '../../../shared/control/aggregates/site-event.js';
import type { ProjectedTable } from './projection.js';

/** `site_events`: one row per timeline entry, with a mark if it is deleted. */
export const siteEvents: ProjectedTable = {
  table: 'site_events',
  erasedBy({ type, aggregateId }) {
    if (type === organisationErased.type) return { column: 'organisation_id', value: aggregateId };
    return type === websiteErased.type ? { column: 'website_id', value: aggregateId } : null;
  },
  rowOf({ type, aggregateId, data }, { at }) {
    const createdAt = at.replace('T', ' ').replace('Z', '');
    if (type === siteEventDeleted.type) {
      const { organisationId, websiteId } = siteEventDeleted.schema.parse(data);
      return {
        organisation_id: organisationId,
        website_id: websiteId ?? '',
        event_id: aggregateId,
        date: '1970-01-01',
        time: '',
        title: '',
        category: '',
        description: '',
        created_by: '',
        automatic: false,
        created_at: createdAt,
        deleted: true,
      };
    }
    if (type !== siteEventRecorded.type) return null;
    const entry = siteEventRecorded.schema.parse(data);
    // An erased entry has no information left. `erased` decides, because its texts may be user input.
    if (entry.erased) return null;
    return {
      organisation_id: entry.organisationId,
      website_id: entry.websiteId ?? '',
      event_id: aggregateId,
      date: entry.date,
      time: entry.time ?? '',
      title: entry.title,
      category: entry.category ?? '',
      description: entry.description ?? '',
      created_by: entry.createdBy,
      automatic: entry.automatic,
      created_at: createdAt,
      deleted: false,
    };
  },
};

import { FIRST_DAY, LAST_DAY } from '../../../shared/clickhouse/column-bounds.js';
import { organisationErased, websiteErased } from '../../../shared/control/aggregates/erasure.js';
import { siteEventDeleted, siteEventRecorded } from '../../../shared/control/aggregates/site-event.js';
import type { ProjectedTable } from './projection.js';

/** `site_events`: one row for each entry of a timeline; a deleted one says so. */
export const siteEvents: ProjectedTable = {
  table: 'site_events',
  columns: [
    'organisation_id',
    'website_id',
    'event_id',
    'date',
    'time',
    'title',
    'category',
    'description',
    'created_by',
    'automatic',
    'created_at',
    'deleted',
    'log_offset',
  ],
  erasedBy({ type, aggregateId }) {
    if (type === organisationErased.type) return { column: 'organisation_id', value: aggregateId };
    return type === websiteErased.type ? { column: 'website_id', value: aggregateId } : null;
  },
  rowOf({ type, aggregateId, data }, { at }) {
    const createdAt = at.replace('T', ' ').replace('Z', '');
    if (type === siteEventDeleted.type) {
      const { organisationId, websiteId } = siteEventDeleted.schema.parse(data);
      const nothing = ['1970-01-01', '', '', '', '', '', false, createdAt] as const;
      return [organisationId, websiteId ?? '', aggregateId, ...nothing, true];
    }
    if (type !== siteEventRecorded.type) return null;
    const entry = siteEventRecorded.schema.parse(data);
    // What is left of it tells nobody anything. The texts don't say so: anybody may have written them.
    if (entry.erased) return null;
    return [
      entry.organisationId,
      entry.websiteId ?? '',
      aggregateId,
      storableDay(entry.date),
      entry.time ?? '',
      entry.title,
      entry.category ?? '',
      entry.description ?? '',
      entry.createdBy,
      entry.automatic,
      createdAt,
      false,
    ];
  },
};

/** Releases without sealing took any day: the nearest that the column holds, and not another one. */
function storableDay(day: string): string {
  if (day < FIRST_DAY) return FIRST_DAY;
  return day > LAST_DAY ? LAST_DAY : day;
}

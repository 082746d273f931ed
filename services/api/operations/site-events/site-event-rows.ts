import { z } from 'zod';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/** The timeline of a website: its own entries, and those of its whole organisation. */

const row = z.object({
  event_id: z.string(),
  /** YYYY-MM-DD */
  date: z.string(),
  /** HH:MM, or '' */
  time: z.string(),
  title: z.string(),
  category: z.string(),
  description: z.string(),
  created_by: z.string(),
  automatic: z.boolean(),
  created_at_ms: z.number(),
});

export type SiteEventRow = z.infer<typeof row>;

export interface Timeline {
  readonly organisationId: string;
  readonly websiteId: string;
}

const columns = `event_id, toString(date) AS date, time, title, category, description, created_by, automatic,
  toUnixTimestamp64Milli(created_at) AS created_at_ms`;

const ofTimeline =
  "organisation_id = {organisation_id: String} AND website_id IN ({website_id: String}, '') AND NOT deleted";

/**
 * Newest first, by the day and time of the event, then of its creation.
 * @param dates inclusive, YYYY-MM-DD; null: all.
 */
export function listSiteEvents(
  reader: ClickHouseReader,
  { organisationId, websiteId }: Timeline,
  { dates, limit }: { dates: { start: string; end: string } | null; limit: number },
): Promise<SiteEventRow[]> {
  const within =
    dates === null ? '' : 'AND site_events.date BETWEEN toDate({start: String}) AND toDate({end: String})';
  return reader.read({
    name: 'site_events.list',
    sql: `SELECT ${columns}
FROM site_events FINAL
WHERE ${ofTimeline} ${within}
ORDER BY site_events.date DESC, time DESC, created_at_ms DESC, event_id
LIMIT {limit: UInt32}`,
    params: { organisation_id: organisationId, website_id: websiteId, limit, ...dates },
    row,
  });
}

/** @returns null if the entry is unknown, deleted or on another timeline. */
export async function findSiteEvent(
  reader: ClickHouseReader,
  { organisationId, websiteId }: Timeline,
  eventId: string,
): Promise<SiteEventRow | null> {
  const [found] = await reader.read({
    name: 'site_events.find',
    sql: `SELECT ${columns}
FROM site_events FINAL
WHERE ${ofTimeline} AND event_id = {event_id: String}`,
    params: { organisation_id: organisationId, website_id: websiteId, event_id: eventId },
    row,
  });
  return found ?? null;
}

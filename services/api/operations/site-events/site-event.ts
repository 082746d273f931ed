import { z } from '@hono/zod-openapi';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import type { SiteEventRow } from './site-event-rows.js';

/** An entry of a website's timeline (spec §2.9). */
export const siteEvent = z
  .object({
    website_id: z.string(),
    event_id: z.string().openapi({ example: 'sev_5dfba9c466412323c1bdf293' }),
    date: z.iso.date(),
    time: z.string().nullable().openapi({ description: 'HH:MM in UTC.', example: '14:30' }),
    title: z.string().openapi({ example: 'Relaunch of the shop' }),
    category: z.string().nullable().openapi({ description: '`api` for entries of writes through the API.' }),
    description: z.string().nullable(),
    created_by: z.string().openapi({
      description: 'Name of the API key, with its last four characters.',
      example: 'Deploy pipeline (…x3Fq)',
    }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi('SiteEvent');

/** @param row unknown values are ''. */
export function toSiteEvent(websiteId: string, row: SiteEventRow): z.input<typeof siteEvent> {
  const createdAt = toInstant(row.created_at_ms);
  return {
    website_id: websiteId,
    event_id: row.event_id,
    date: row.date,
    time: row.time || null,
    title: row.title,
    category: row.category || null,
    description: row.description || null,
    created_by: row.created_by,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

export const TAG = 'Site events';
export const NO_SUCH_EVENT = 'Site event not found.';

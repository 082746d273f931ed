import { z } from '@hono/zod-openapi';
import type { SitemapMembership, SitemapSnapshot } from '../queries/sitemap-membership.js';
import { instant, toInstant } from './instant.js';

/** What answers say of a path's place in the website's sitemaps, and of how these were last read. */

const moment = (description: string) => instant.nullable().openapi({ description });

export const sitemapMembership = {
  membership_status: z.enum(['present', 'removed', 'not_found', 'unknown']).openapi({
    description:
      'present: listed; removed: listed before, and no longer; not_found: never listed; unknown: no sitemap of the website has been read.',
  }),
  membership_confirmed: z.boolean().openapi({
    description: 'true: the last fetch was complete, so that what it does not list is not listed.',
  }),
  in_sitemap: z.boolean().nullable().openapi({ description: 'Whether it is listed now; null where unknown.' }),
  removed: z
    .boolean()
    .nullable()
    .openapi({ description: 'Whether it was listed and no longer is; null where unknown.' }),
  removed_at: moment('When a complete fetch first found it gone; null where it is not removed.'),
};

export function toSitemapMembership({ status, confirmed, removedAt }: SitemapMembership) {
  const known = status !== 'unknown';
  return {
    membership_status: status,
    membership_confirmed: confirmed,
    in_sitemap: known ? status === 'present' : null,
    removed: known ? status === 'removed' : null,
    removed_at: toMoment(removedAt),
  };
}

export const sitemapSnapshot = {
  fetch_complete: z.boolean().nullable().openapi({
    description: 'Whether the last fetch read every sitemap; null where none has been read.',
  }),
  last_successful_fetch_at: moment('End of the last complete fetch; null where there is none.'),
  last_checked_at: moment('End of the last fetch, complete or not; null where there is none.'),
};

export function toSitemapSnapshot(snapshot: SitemapSnapshot) {
  return {
    fetch_complete: snapshot.fetchComplete,
    last_successful_fetch_at: toMoment(snapshot.lastSuccessfulFetchAt),
    last_checked_at: toMoment(snapshot.lastCheckedAt),
  };
}

export function toMoment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toInstant(milliseconds);
}

import { z } from '@hono/zod-openapi';
import { moment, toInstant } from '../answer/instant.js';
import type { PathMembership, SitemapState } from './sitemaps-sql.js';

/** What answers say of a path's place in the website's sitemaps, and of how these were last read. */

export const sitemapMembership = {
  membership_status: z.enum(['present', 'removed', 'not_found', 'unknown']).openapi({
    description:
      'present: listed; removed: listed before, and no longer; not_found: not listed; unknown: no sitemap of the website has been read completely.',
  }),
  membership_confirmed: z.boolean().openapi({
    description: 'true: the last fetch was complete, so that what it does not list is not listed.',
  }),
  in_sitemap: z
    .boolean()
    .nullable()
    .openapi({ description: 'Whether it is listed now; null where unknown.' }),
  removed: z
    .boolean()
    .nullable()
    .openapi({ description: 'Whether it was listed and no longer is; null where unknown.' }),
  removed_at: moment('The first complete fetch that found it gone; null where it is not removed.'),
};

/** @param membership undefined: as of a path that nothing is known of. */
export function toSitemapMembership(membership: PathMembership | undefined) {
  const { status, confirmed, removedAt } = membership ?? unknown;
  const known = status !== 'unknown';
  return {
    membership_status: status,
    membership_confirmed: confirmed,
    in_sitemap: known ? status === 'present' : null,
    removed: known ? status === 'removed' : null,
    removed_at: toMoment(removedAt),
  };
}

const unknown = { status: 'unknown', confirmed: false, removedAt: null } as const;

export const sitemapSnapshot = {
  fetch_complete: z.boolean().nullable().openapi({
    description: 'Whether the last fetch read every sitemap; null where none has been read.',
  }),
  last_successful_fetch_at: moment('The last complete fetch; null where there is none.'),
  last_checked_at: moment('The last fetch, complete or not; null where there is none.'),
};

/** What is known of the website's sitemaps as a whole. */
export function toSitemapSnapshot(state: SitemapState | null) {
  return {
    fetch_complete: state?.complete ?? null,
    last_successful_fetch_at: toMoment(state?.lastComplete ?? null),
    last_checked_at: toMoment(state?.lastChecked ?? null),
  };
}

export function toMoment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toInstant(milliseconds);
}

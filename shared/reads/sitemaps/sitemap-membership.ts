import { z } from '@hono/zod-openapi';
import { moment, toInstant } from '../answer/instant.js';
import type { PathMembership, SitemapState } from './sitemaps-sql.js';

/** Sitemap fields of a path, and the state of the last fetch of the website's sitemaps. */

export const sitemapMembership = {
  membership_status: z.enum(['present', 'removed', 'not_found', 'unknown']).openapi({
    description:
      'present: listed; removed: listed before, but no longer; not_found: not listed; unknown: no complete fetch of the website’s sitemaps exists.',
  }),
  membership_confirmed: z.boolean().openapi({
    description: 'true: the last fetch was complete, so that all other pages are unlisted.',
  }),
  in_sitemap: z.boolean().nullable().openapi({ description: 'Whether it is listed now; null if unknown.' }),
  removed: z
    .boolean()
    .nullable()
    .openapi({ description: 'Whether it was listed and no longer is; null if unknown.' }),
  removed_at: moment('The first complete fetch that did not list it; null if it is not removed.'),
};

/** @param membership undefined: nothing is known of the path. */
export function toSitemapMembership(membership: PathMembership | undefined) {
  const { status, confirmed, removedAt } = membership ?? unknown;
  const isKnown = status !== 'unknown';
  return {
    membership_status: status,
    membership_confirmed: confirmed,
    in_sitemap: isKnown ? status === 'present' : null,
    removed: isKnown ? status === 'removed' : null,
    removed_at: toMoment(removedAt),
  };
}

const unknown = { status: 'unknown', confirmed: false, removedAt: null } as const;

export const sitemapSnapshot = {
  fetch_complete: z.boolean().nullable().openapi({
    description: 'Whether the last fetch read every sitemap; null without a fetch.',
  }),
  last_successful_fetch_at: moment('The last complete fetch; null if there is none.'),
  last_checked_at: moment('The last fetch, complete or not; null if there is none.'),
};

/** The state of the website's sitemaps as a whole. */
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

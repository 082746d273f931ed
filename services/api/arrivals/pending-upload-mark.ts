import { z } from '@hono/zod-openapi';

/** The field that a read of a website has while accepted lines of the website are not stored. */

export const pendingUpload = z
  .object({
    stored_through: z.iso.datetime().nullable().openapi({
      description: 'Uploads that ended before are stored; later ones may not be. null: not known yet.',
    }),
    note: z.string(),
  })
  .openapi('PendingUpload', {
    description:
      'Ingest has accepted lines that may not be stored yet, so the figures may lack them. Present only then, and known within a fraction of a second, while the upload is still under way too.',
  });

export type PendingUpload = z.input<typeof pendingUpload>;

/** @param through milliseconds since the epoch; 0: not known yet. */
export function toPendingUpload(through: number): PendingUpload {
  const stored_through = through === 0 ? null : new Date(through).toISOString();
  return {
    stored_through,
    note: `Lines that were accepted ${stored_through === null ? 'lately' : `after ${stored_through}`} may not be stored yet, and these figures may lack them. Repeat the call in some seconds.`,
  };
}

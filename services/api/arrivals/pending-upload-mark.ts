import { z } from '@hono/zod-openapi';

/** The field that reads of a website have while accepted lines are not stored. */

export const pendingUpload = z
  .object({
    stored_through: z.iso.datetime().nullable().openapi({
      description:
        'Uploads that ended before this time are stored; later ones may not be. null: not known yet.',
    }),
    note: z.string(),
  })
  .openapi('PendingUpload', {
    description:
      'Present only if ingest has accepted lines that may not be stored yet, so figures may lack them. It appears within a fraction of a second, also during an upload.',
  });

export type PendingUpload = z.input<typeof pendingUpload>;

/** @param through milliseconds since the epoch; 0: not known yet. */
export function toPendingUpload(through: number): PendingUpload {
  const stored_through = through === 0 ? null : new Date(through).toISOString();
  return {
    stored_through,
    note: `Lines accepted ${stored_through === null ? 'recently' : `after ${stored_through}`} may not be stored yet, so these figures may lack them. Repeat the call in a few seconds.`,
  };
}

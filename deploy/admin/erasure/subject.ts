import { z } from 'zod';
import { normaliseClientIp, UNKNOWN_ADDRESS } from '../../../shared/reads/sql/client-ip.js';

/** The subject of an erasure. */
export const erasureSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('organisation'), id: z.string() }),
  z.strictObject({ kind: z.literal('website'), id: z.string() }),
  /** Id or e-mail address. */
  z.strictObject({ kind: z.literal('user'), id: z.string() }),
  z.strictObject({
    kind: z.literal('address'),
    address: z.string().transform((text, context) => {
      const address = normaliseClientIp(text);
      // The unspecified address means "unknown" and belongs to nobody.
      if (address !== null && address !== UNKNOWN_ADDRESS) return address;
      context.addIssue('an IPv4 or IPv6 address');
      return z.NEVER;
    }),
    /** null: all websites. */
    websiteId: z.string().nullable(),
  }),
]);

export type ErasureSubject = z.output<typeof erasureSubject>;

import { PublicError } from '../../../shared/errors.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import type { IngestKeyOwner } from './authenticate.js';

/**
 * Who may have how many uploads under way at once. A slow sender holds its place for as long as its upload takes: the
 * places of one website, and of one customer with many websites, are a share, so that others always find one.
 */

export interface SlotLimits {
  /** Of all uploads. */
  readonly total: number;
  /** Of one website; null: a quarter of the total. */
  readonly perWebsite: number | null;
}

export interface UploadSlots {
  /** Uploads under way. */
  readonly taken: number;
  /**
   * Takes a place, which `leave` gives back.
   * @throws PublicError (503) where none is free for this sender.
   */
  enter(owner: Pick<IngestKeyOwner, 'websiteId' | 'organisationId'>): { leave(): void };
}

/** A customer's websites together: so many times what one may have, and never all places. */
const WEBSITES_OF_ONE_CUSTOMER = 2;

export function createUploadSlots({ total, perWebsite }: SlotLimits): UploadSlots {
  const ofWebsite = perWebsite ?? Math.max(1, Math.floor(total / 4));
  const ofOrganisation = Math.max(ofWebsite, Math.min(WEBSITES_OF_ONE_CUSTOMER * ofWebsite, total - 1));
  const websites = createLimiter({ most: total, mostOfOwner: ofWebsite });
  const organisations = createLimiter({ most: total, mostOfOwner: ofOrganisation });

  return {
    get taken() {
      return websites.taken();
    },
    enter({ websiteId, organisationId }) {
      if (websites.taken() >= total) throw full('uploads_at_once', 'Too many uploads at once');
      const leaveWebsite = websites.tryEnter(websiteId);
      if (leaveWebsite === null) {
        throw full('website_uploads_at_once', `More than ${ofWebsite} uploads of this website at once`);
      }
      const leaveOrganisation = organisations.tryEnter(organisationId);
      if (leaveOrganisation === null) {
        leaveWebsite();
        throw full(
          'organisation_uploads_at_once',
          `More than ${ofOrganisation} uploads of your websites at once`,
        );
      }
      return {
        leave() {
          leaveWebsite();
          leaveOrganisation();
        },
      };
    },
  };
}

function full(reason: string, what: string): PublicError {
  return new PublicError('unavailable', `${what}; send the upload again.`, {
    retryAfterSeconds: 1,
    fields: { reason },
  });
}

import { PublicError } from '../../../shared/errors.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import type { IngestKeyOwner } from './authenticate.js';

/**
 * Limits the uploads that run at once. A slow sender occupies its slot until its upload ends. So one website, or one
 * customer with many websites, gets only a share of the slots.
 */

export interface SlotLimits {
  /** Most uploads of all websites. */
  readonly total: number;
  /** Most uploads of one website; null: a quarter of the total. */
  readonly perWebsite: number | null;
}

export interface UploadSlots {
  /** Running uploads. */
  readonly taken: number;
  /**
   * Takes a slot; `leave` frees it.
   * @throws PublicError (503) if none is free for this sender
   */
  enter(owner: Pick<IngestKeyOwner, 'websiteId' | 'organisationId'>): { leave(): void };
}

/** All websites of a customer get this many times the slots of one, and never all slots. */
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

import { PublicError } from '../../../shared/errors.js';
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
  const websites = new Map<string, number>();
  const organisations = new Map<string, number>();
  let taken = 0;

  return {
    get taken() {
      return taken;
    },
    enter({ websiteId, organisationId }) {
      if (taken >= total) throw full('uploads_at_once', 'Too many uploads at once');
      if (heldBy(websites, websiteId) >= ofWebsite) {
        throw full('website_uploads_at_once', `More than ${ofWebsite} uploads of this website at once`);
      }
      if (heldBy(organisations, organisationId) >= ofOrganisation) {
        throw full(
          'organisation_uploads_at_once',
          `More than ${ofOrganisation} uploads of your websites at once`,
        );
      }
      change(websites, websiteId, 1);
      change(organisations, organisationId, 1);
      taken++;
      return {
        leave() {
          change(websites, websiteId, -1);
          change(organisations, organisationId, -1);
          taken--;
        },
      };
    },
  };
}

function heldBy(counts: ReadonlyMap<string, number>, id: string): number {
  return counts.get(id) ?? 0;
}

/** Whoever holds none is forgotten. */
function change(counts: Map<string, number>, id: string, by: 1 | -1): void {
  const held = heldBy(counts, id) + by;
  if (held === 0) counts.delete(id);
  else counts.set(id, held);
}

function full(reason: string, what: string): PublicError {
  return new PublicError('unavailable', `${what}; send the upload again.`, {
    retryAfterSeconds: 1,
    fields: { reason },
  });
}

import type { Refusal } from '../../shared/control/command.js';
import type { ApiKey, Organisation, SourceType, Website } from '../../shared/control/model.js';

/** Who calls: an API key and the organisation it belongs to. */
export interface Caller {
  readonly organisation: Organisation;
  readonly apiKey: ApiKey;
}

/** What the API asks of the control plane: from memory where it reads, one command where it writes. */
export interface ApiControl {
  /** Whose key this is; null for a key that is unknown, revoked, expired at `now`, or no API key at all. */
  authenticate(clearKey: string, now: number): Caller | null;
  /** Null for an unknown website and for another organisation's alike. */
  website(organisationId: string, websiteId: string): Website | null;
  /** Oldest first. */
  websites(organisationId: string): readonly Website[];
  plan(organisation: Organisation): { readonly name: string; readonly apiAccess: boolean };
  /** Answers once the website can be read back. `ingestKey` is the clear text, known only here. */
  createWebsite(
    organisationId: string,
    website: NewWebsite,
    actor: ApiKey,
  ): Promise<CreatedWebsite | { readonly refusal: Refusal }>;
}

export interface NewWebsite {
  readonly domain: string;
  /** Default: the domain. */
  readonly name: string | undefined;
  readonly sourceType: SourceType;
}

export interface CreatedWebsite {
  readonly website: Website;
  readonly ingestKey: string;
}

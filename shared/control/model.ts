/** The control plane's nouns, as every service holds them in memory (design: ARCHITECTURE.md "The control plane"). */

/** Source types in the order of spec §2.2; the first is the fallback. */
export const sourceTypes = ['cloudflare', 'aws', 'vercel', 'netlify', 'fastly', 'akamai', 'vector'] as const;
export type SourceType = (typeof sourceTypes)[number];

export const apiKeyScopes = ['read', 'read_write'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Timestamps are ISO 8601 in UTC. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
  readonly planId: string;
  readonly createdAt: string;
}

export interface User {
  readonly id: string;
  readonly organisationId: string;
  readonly email: string;
  readonly createdAt: string;
}

export interface Website {
  /** Opaque; never reused. */
  readonly id: string;
  readonly organisationId: string;
  /** Host name, lower case, without scheme, port, path or leading www. unless given so. */
  readonly domain: string;
  readonly name: string;
  readonly sourceType: SourceType;
  readonly createdAt: string;
}

export interface ApiKey {
  readonly id: string;
  readonly organisationId: string;
  readonly userId: string | null;
  readonly name: string;
  readonly scope: ApiKeyScope;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

export interface IngestKey {
  readonly id: string;
  readonly organisationId: string;
  readonly websiteId: string;
  readonly createdAt: string;
}

/** What the state holds of a key beyond what a caller needs: never its clear text. */
interface StoredKey {
  /** SHA-256 of the clear text, hexadecimal. */
  readonly digest: string;
  /** Last four characters of the clear text, so that people can tell keys apart. */
  readonly last4: string;
  readonly revokedAt: string | null;
}

export interface StoredApiKey extends ApiKey, StoredKey {}

export interface StoredIngestKey extends IngestKey, StoredKey {}

/** The entities of the control plane, in memory in every service (ARCHITECTURE.md "The way of a write"). */

import type { SubscriptionSnapshot } from './payment-processor.js';

/**
 * Hosting platforms or log shippers of websites, in the order of spec §2.2; the first is the fallback. The API and the
 * stored events call it source_type and sourceType. A log format is a source (services/ingest/sources), which does not
 * follow from the platform.
 */
export const platforms = ['cloudflare', 'aws', 'vercel', 'netlify', 'fastly', 'akamai', 'vector'] as const;
export type Platform = (typeof platforms)[number];

export const apiKeyScopes = ['read', 'read_write'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/**
 * `sign_in_link` becomes a `session` of the console, once (aggregates/console-session.ts). A `connection` is what a
 * person allowed a client of `/mcp` (aggregates/client-connection.ts).
 */
export const apiKeyKinds = ['key', 'sign_in_link', 'session', 'connection'] as const;
export type ApiKeyKind = (typeof apiKeyKinds)[number];

/** Timestamps are ISO 8601 in UTC. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
  /** Bought, or set by the operator; a running trial takes precedence (plans.ts `planOf`). */
  readonly planId: string;
  readonly trial: Trial | null;
  /** The organisation's id at the payment processor; null before its first checkout. */
  readonly customerId: string | null;
  readonly subscription: Subscription | null;
  readonly createdAt: string;
}

/** The trial without a card (spec §3.7), once per organisation. */
export interface Trial {
  readonly planId: string;
  readonly startedAt: string;
  readonly endsAt: string;
  /** When a subscription or a plan set by the operator replaced it; null: not replaced. */
  readonly supersededAt: string | null;
}

/** The organisation's subscription as last read from the payment processor. */
export interface Subscription
  extends Omit<SubscriptionSnapshot, 'subscriptionId' | 'customerId' | 'organisationId'> {
  readonly id: string;
  /** Time of the read; an earlier read never overwrites it. */
  readonly observedAt: string;
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
  /** Host name, lower case, without scheme, port, path or leading www. unless given. */
  readonly domain: string;
  readonly name: string;
  /** Null: not given and not found by DNS. */
  readonly sourceType: Platform | null;
  readonly createdAt: string;
  readonly privacy: WebsitePrivacy;
}

/** Privacy settings for the data of a website's visitors (docs/privacy.md). */
export interface WebsitePrivacy {
  /** Whole days after the day of receipt for which client addresses are kept; null: as long as the requests. */
  readonly addressDays: number | null;
  /** Requests of people are not stored. */
  readonly botsOnly: boolean;
  /** Last change of `botsOnly`, ISO 8601; null: never. */
  readonly botsOnlyChangedAt: string | null;
}

/** Applied to the path, except `query`: to the query string (spec §2.5). */
export const segmentRuleTypes = ['prefix', 'contains', 'exact', 'regex', 'query'] as const;

export interface SegmentRule {
  readonly type: (typeof segmentRuleTypes)[number];
  readonly value: string;
}

/** A saved group of pages: requests that match one of `rules` and none of `excludeRules`. */
export interface Segment {
  readonly id: string;
  readonly websiteId: string;
  readonly name: string;
  readonly rules: readonly SegmentRule[];
  readonly excludeRules: readonly SegmentRule[];
  /** #rgb or #rrggbb. */
  readonly colour: string | null;
  /** Another segment of the website under which it is displayed; it does not narrow the rules. */
  readonly parentId: string | null;
  readonly notes: string | null;
  readonly order: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A bot whose SEO-error alerts are suppressed until a time (spec §3.5). */
export interface BotSuppression {
  /** `<website id>/<crawler>` */
  readonly id: string;
  readonly websiteId: string;
  readonly crawler: string;
  readonly until: string;
  readonly reason: string | null;
  readonly createdAt: string;
}

/** Changed alert settings of a website; the rest has the defaults (aggregates/alert-settings.ts). */
export interface StoredAlertSettings {
  /** The website's id. */
  readonly id: string;
  readonly websiteId: string;
  /** By name. */
  readonly settings: Readonly<Record<string, boolean | number | readonly string[]>>;
}

/** A recommendation that was marked as done (spec §3.6). */
export interface Resolution {
  /** `<website id>/<key>` */
  readonly id: string;
  readonly websiteId: string;
  /** As in spec §2.10: `ip:<ip>`, `404:<path>`, … */
  readonly key: string;
  readonly resolvedAt: string;
}

export const exportStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

/** A requested file (spec §2.7). */
export interface Export {
  readonly id: string;
  readonly websiteId: string;
  readonly organisationId: string;
  readonly apiKeyId: string;
  /** Owner of the key; null: it has none. */
  readonly userId: string | null;
  readonly exportType: string;
  readonly notify: boolean;
  /** JSON: the request as the caller sent it. */
  readonly filters: string;
  /** JSON: the resolved request, for the worker that writes the file. */
  readonly question: string;
  readonly description: string;
  readonly status: ExportStatus;
  /** Number of started attempts. */
  readonly attempts: number;
  /** Attempts returned because their replica lost the website: they do not count against the export. */
  readonly returned: readonly number[];
  readonly createdAt: string;
  /** Start of the newest attempt; null: none. */
  readonly startedAt: string | null;
  /** Earliest start of the next attempt; null: immediately. */
  readonly notBefore: string | null;
  /** End, with any result. */
  readonly completedAt: string | null;
  /** Set if completed. */
  readonly file: ExportFile | null;
  /** Reason why there is no file, shown to people; null otherwise. */
  readonly error: string | null;
}

export interface ExportFile {
  /** Key in the file store (shared/files). */
  readonly key: string;
  readonly rows: number;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Schedule that stores each finished UTC day of a website as a file (docs/exports.md). */
export interface ExportSchedule {
  /** The website's id. */
  readonly id: string;
  /** One of fileFormats, or a format of a later release. */
  readonly format: string;
  /** First day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly createdAt: string;
}

/** Inputs of a website's webhook secret (shared/control/sealing/webhook-secret.ts). */
export interface WebhookSecret {
  /** The website's id. */
  readonly id: string;
  /** Key in `control.keys`. */
  readonly keyName: string;
  readonly salt: string;
  readonly createdAt: string;
}

/** External services from which a website's figures may be read. */
export const connectionKinds = ['google-search-console', 'bing-webmaster', 'google-analytics'] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** Connection of a website to an external service (docs/connections.md). */
export interface Connection {
  /** `<website id>/<kind>` */
  readonly id: string;
  readonly websiteId: string;
  readonly kind: ConnectionKind;
  /** Key of the stored rows: another property is another source, and their rows never mix. */
  readonly sourceId: string;
  /** The website's identifier at the service: `sc-domain:example.com`, a URL, or a number. */
  readonly property: string;
  /** Display name of the property; null: none. */
  readonly propertyName: string | null;
  /** Credential of the service, sealed (shared/connections/credential.ts). */
  readonly credential: string;
  readonly connectedAt: string;
}

export const crawlStatuses = [
  'pending_upload',
  'queued',
  'processing',
  'ready',
  'failed',
  'blocked',
  'cancelled',
] as const;
export type CrawlStatus = (typeof crawlStatuses)[number];

export const crawlSources = ['upload', 'service_crawler'] as const;
export type CrawlSource = (typeof crawlSources)[number];

export const crawlTriggers = ['manual', 'auto', 'admin'] as const;
export type CrawlTrigger = (typeof crawlTriggers)[number];

/** A crawl of a website's pages (spec §2.6); the pages are rows of crawl_pages. Timestamps are ISO 8601 in UTC. */
export interface Crawl {
  /** `<YYYYMMDD>T<HHMMSS>_<8 characters>`, with the time of `createdAt`. */
  readonly id: string;
  readonly websiteId: string;
  readonly source: CrawlSource;
  readonly status: CrawlStatus;
  /** Origin: a caller with a key, the website's setting, or the operator. */
  readonly trigger: CrawlTrigger;
  /** Set for an upload. */
  readonly filename: string | null;
  /** The upload included a file of links between its pages. */
  readonly hasLinks: boolean;
  /** Full start URLs, in addition to the home page and the sitemaps. */
  readonly seeds: readonly string[];
  readonly maxPages: number;
  readonly renderJs: boolean;
  /** Query parameters that distinguish pages. */
  readonly queryKeys: readonly string[];
  /** Number of started attempts. */
  readonly attempts: number;
  /** Returned attempts: they do not count against the crawl. */
  readonly returned: readonly number[];
  readonly createdAt: string;
  /** Start of the first attempt; null: none. */
  readonly startedAt: string | null;
  /** Earliest start of the next attempt; null: immediately. */
  readonly notBefore: string | null;
  /** End, with any result. */
  readonly completedAt: string | null;
  /** Reason why there is no result, shown to people; null otherwise. */
  readonly error: string | null;
  /** Set if ready. */
  readonly counts: CrawlCounts | null;
  /** Changes since the previous ready crawl; null: there is none, or this crawl is not ready. */
  readonly delta: CrawlDelta | null;
}

/** Page counts of a finished crawl. */
export interface CrawlCounts {
  /** Fetched pages. */
  readonly urlCount: number;
  readonly indexableCount: number;
  readonly status200: number;
  /** Pages without a link path from the home page. */
  readonly unlinkedCount: number;
  /** Links from the home page to the deepest page; null: no page is linked. */
  readonly maxDepth: number | null;
  /** Findings by severity. */
  readonly auditSummary: { readonly high: number; readonly medium: number; readonly low: number };
}

/** Comparison of the URLs fetched by two crawls. */
export interface CrawlDelta {
  readonly previousCrawlId: string;
  /** Only in this crawl; only in the previous one. */
  readonly new: number;
  readonly gone: number;
  /** In both crawls, with a difference. */
  readonly statusChanged: number;
  readonly titleChanged: number;
  readonly canonicalChanged: number;
  readonly indexableChanged: number;
}

/** Changed crawl settings of a website (crawls/crawl-settings.ts). */
export interface CrawlSettings {
  /** The website's id. */
  readonly id: string;
  /** Automatic weekly crawl. */
  readonly autoCrawl: boolean;
  readonly autoCrawlMaxPages: number;
  readonly renderJs: boolean;
  readonly queryKeys: readonly string[];
}

/** A request with an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly id: string;
  readonly organisationId: string;
  readonly requestDigest: string;
  readonly claimedAt: string;
  /** The response, readable only for its caller (services/api/control/idempotency.ts); null until it was sent. */
  readonly sealedAnswer: string | null;
}

export interface ApiKey {
  readonly id: string;
  readonly kind: ApiKeyKind;
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

/** Stored fields of a key that callers do not get; never its clear text. */
interface StoredKey {
  /** SHA-256 of the clear text, hexadecimal. */
  readonly digest: string;
  /** Last four characters of the clear text, so that people can distinguish keys. */
  readonly last4: string;
  readonly revokedAt: string | null;
}

export interface StoredApiKey extends ApiKey, StoredKey {
  /** When a session was last seen, give or take some minutes (domain/sessions.ts); null: never, or it is no session. */
  readonly seenAt: string | null;
  /** Set for a connection, whose `digest` only finds its refresh tokens; null for all other kinds. */
  readonly tokens: ClientTokens | null;
}

/** The valid tokens of a connection (domain/client-tokens.ts). Digests are SHA-256, hexadecimal. */
export interface ClientTokens {
  /** Made from the client's id: no other client can use the refresh tokens. */
  readonly clientDigest: string;
  /** The newest last. */
  readonly access: readonly { readonly digest: string; readonly expiresAt: string }[];
  /** Digests of the refresh tokens that no call has used. There are several after a repeated call. */
  readonly refresh: readonly string[];
  /** The refresh token that was used last; null: none was. */
  readonly used: { readonly digest: string; readonly at: string } | null;
}

export interface StoredIngestKey extends IngestKey, StoredKey {}

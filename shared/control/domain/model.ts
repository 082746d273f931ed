/** The control plane's nouns, as every service holds them in memory (design: ARCHITECTURE.md "The way of a write"). */

import type { SubscriptionSnapshot } from './payment-processor.js';

/**
 * Where a website is hosted, or what ships its logs, in the order of spec §2.2; the first is the fallback. The API and the stored
 * events call it source_type and sourceType. The format of a log is its source (services/ingest/sources), and no platform
 * says which it is.
 */
export const platforms = ['cloudflare', 'aws', 'vercel', 'netlify', 'fastly', 'akamai', 'vector'] as const;
export type Platform = (typeof platforms)[number];

export const apiKeyScopes = ['read', 'read_write'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Timestamps are ISO 8601 in UTC. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
  /** Bought, or set by the operator; while a trial runs the trial's counts (plans.ts `planOf`). */
  readonly planId: string;
  readonly trial: Trial | null;
  /** The payment processor's id of the organisation; null before its first checkout. */
  readonly customerId: string | null;
  readonly subscription: Subscription | null;
  readonly createdAt: string;
}

/** The one trial without a card (spec §3.7). */
export interface Trial {
  readonly planId: string;
  readonly startedAt: string;
  readonly endsAt: string;
  /** When a subscription or a plan set by the operator took its place; null: neither did. */
  readonly supersededAt: string | null;
}

/** What the payment processor last said of the organisation's subscription. */
export interface Subscription
  extends Omit<SubscriptionSnapshot, 'subscriptionId' | 'customerId' | 'organisationId'> {
  readonly id: string;
  /** When it was asked; what was asked earlier never overwrites it. */
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
  /** Host name, lower case, without scheme, port, path or leading www. unless given so. */
  readonly domain: string;
  readonly name: string;
  /** Null: nobody said, and DNS does not tell. */
  readonly sourceType: Platform | null;
  readonly createdAt: string;
  readonly privacy: WebsitePrivacy;
}

/** What the operator has set on the data of a website's visitors (docs/privacy.md). */
export interface WebsitePrivacy {
  /** Whole days after that of receipt that client addresses are kept; null: as long as the requests. */
  readonly addressDays: number | null;
  /** Requests of people are not stored. */
  readonly botsOnly: boolean;
  /** When the line above was changed last, ISO 8601; null: never. */
  readonly botsOnlyChangedAt: string | null;
}

/** On the path, but for `query`: on the query string (spec §2.5). */
export const segmentRuleTypes = ['prefix', 'contains', 'exact', 'regex', 'query'] as const;

export interface SegmentRule {
  readonly type: (typeof segmentRuleTypes)[number];
  readonly value: string;
}

/** A saved group of pages: a request is in it where one of `rules` holds and none of `excludeRules`. */
export interface Segment {
  readonly id: string;
  readonly websiteId: string;
  readonly name: string;
  readonly rules: readonly SegmentRule[];
  readonly excludeRules: readonly SegmentRule[];
  /** #rgb or #rrggbb. */
  readonly colour: string | null;
  /** Another segment of the website that it is shown under; it narrows nothing. */
  readonly parentId: string | null;
  readonly notes: string | null;
  readonly order: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A bot whose SEO-error alerts are held back until a moment (spec §3.5). */
export interface BotSuppression {
  /** `<website id>/<crawler>` */
  readonly id: string;
  readonly websiteId: string;
  readonly crawler: string;
  readonly until: string;
  readonly reason: string | null;
  readonly createdAt: string;
}

/** What the operator set of a website's alerts; the defaults count for the rest (aggregates/alert-settings.ts). */
export interface StoredAlertSettings {
  /** That of the website. */
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

/** A file that somebody asked for (spec §2.7). */
export interface Export {
  readonly id: string;
  readonly websiteId: string;
  readonly organisationId: string;
  readonly apiKeyId: string;
  /** Owner of the key; null: it has none. */
  readonly userId: string | null;
  readonly exportType: string;
  readonly notify: boolean;
  /** JSON: what was asked for, as the caller sent it. */
  readonly filters: string;
  /** JSON: what it comes to, for whoever makes the file. */
  readonly question: string;
  readonly description: string;
  readonly status: ExportStatus;
  /** That were begun. */
  readonly attempts: number;
  /** Attempts that were given back, since their replica lost the website: they do not count against the export. */
  readonly returned: readonly number[];
  readonly createdAt: string;
  /** When the newest attempt was begun; null: none was. */
  readonly startedAt: string | null;
  /** The next attempt waits until then; null: it need not. */
  readonly notBefore: string | null;
  /** When it was over, however it ended. */
  readonly completedAt: string | null;
  /** Of a completed one. */
  readonly file: ExportFile | null;
  /** Why there is none, for people; null where there is, or will be. */
  readonly error: string | null;
}

export interface ExportFile {
  /** In the file store (shared/files). */
  readonly key: string;
  readonly rows: number;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** That each finished UTC day of a website is stored as a file (docs/exports.md). */
export interface ExportSchedule {
  /** That of the website. */
  readonly id: string;
  /** One of fileFormats, or what a later release knows. */
  readonly format: string;
  /** First day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly createdAt: string;
}

/** Whereof a website's webhooks' secret is made (shared/control/sealing/webhook-secret.ts). */
export interface WebhookSecret {
  /** The website's. */
  readonly id: string;
  /** In `control.keys`. */
  readonly keyName: string;
  readonly salt: string;
  readonly createdAt: string;
}

/** Outside services that a website's figures may be read from. */
export const connectionKinds = ['google-search-console', 'bing-webmaster', 'google-analytics'] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** That a website's figures are read from an outside service (docs/connections.md). */
export interface Connection {
  /** `<website id>/<kind>` */
  readonly id: string;
  readonly websiteId: string;
  readonly kind: ConnectionKind;
  /** What the rows that it brings are stored under: another property is another source, and its rows are never mixed with these. */
  readonly sourceId: string;
  /** How the service calls the website: `sc-domain:example.com`, a URL, or a number. */
  readonly property: string;
  /** What people call the property; null: nothing else. */
  readonly propertyName: string | null;
  /** How the service is opened, sealed (shared/connections/credential.ts). */
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

/** A visit of a website's pages (spec §2.6); the pages are rows of crawl_pages. Timestamps are ISO 8601 in UTC. */
export interface Crawl {
  /** `<YYYYMMDD>T<HHMMSS>_<8 characters>`: of `createdAt`. */
  readonly id: string;
  readonly websiteId: string;
  readonly source: CrawlSource;
  readonly status: CrawlStatus;
  /** Who wanted it: somebody with a key, the website's setting, or the operator. */
  readonly trigger: CrawlTrigger;
  /** Of an upload. */
  readonly filename: string | null;
  /** An upload came with a file of links between its pages. */
  readonly hasLinks: boolean;
  /** URLs in full that it begins with, beside the home page and the sitemaps. */
  readonly seeds: readonly string[];
  readonly maxPages: number;
  readonly renderJs: boolean;
  /** Query parameters that make a page of their own. */
  readonly queryKeys: readonly string[];
  /** That were begun. */
  readonly attempts: number;
  /** Attempts that were given back: they do not count against the crawl. */
  readonly returned: readonly number[];
  readonly createdAt: string;
  /** When the first attempt was begun; null: none was. */
  readonly startedAt: string | null;
  /** The next attempt waits until then; null: it need not. */
  readonly notBefore: string | null;
  /** When it was over, however it ended. */
  readonly completedAt: string | null;
  /** Why there is no result, for people; null where there is, or will be. */
  readonly error: string | null;
  /** Of one that is ready. */
  readonly counts: CrawlCounts | null;
  /** What has changed since the ready crawl before it; null: there was none, or it is not ready. */
  readonly delta: CrawlDelta | null;
}

/** Pages of a finished crawl. */
export interface CrawlCounts {
  /** That were fetched. */
  readonly urlCount: number;
  readonly indexableCount: number;
  readonly status200: number;
  /** That no link leads to from the home page. */
  readonly unlinkedCount: number;
  /** Links from the home page to the deepest page; null: none is linked to. */
  readonly maxDepth: number | null;
  /** Findings by severity. */
  readonly auditSummary: { readonly high: number; readonly medium: number; readonly low: number };
}

/** URLs that two crawls fetched, compared. */
export interface CrawlDelta {
  readonly previousCrawlId: string;
  /** Fetched by this crawl alone, and by the one before alone. */
  readonly new: number;
  readonly gone: number;
  /** Fetched by both, with another answer. */
  readonly statusChanged: number;
  readonly titleChanged: number;
  readonly canonicalChanged: number;
  readonly indexableChanged: number;
}

/** How a website is crawled, where the operator set something (crawls/crawl-settings.ts). */
export interface CrawlSettings {
  /** That of the website. */
  readonly id: string;
  /** Once a week by itself. */
  readonly autoCrawl: boolean;
  readonly autoCrawlMaxPages: number;
  readonly renderJs: boolean;
  readonly queryKeys: readonly string[];
}

/** A request that was carried out under an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly id: string;
  readonly organisationId: string;
  readonly requestDigest: string;
  readonly claimedAt: string;
  /** The answer, readable for its caller alone (services/api/control/idempotency.ts); null until it went out. */
  readonly sealedAnswer: string | null;
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

/** A row of the ClickHouse table `requests` (shared/store/migrations/0001_baseline/requests.sql). */

/**
 * Traffic class of a request; every rollup that splits traffic uses it. spoofed_bot: the claim was disproved before the
 * row was written. A row with a pending claim has the claimed class; reads reclassify it after a late verdict of
 * spoofed. undeclared_agent: it claims no bot, but is no person (shared/crawlers/judge-request.ts).
 */
export const trafficClasses = [
  'human',
  'search_bot',
  'ai_bot',
  'other_bot',
  'spoofed_bot',
  'undeclared_agent',
] as const;
export type TrafficClass = (typeof trafficClasses)[number];

/**
 * Verification of a bot's claim (docs/decisions/009-late-verdicts.md). Requests without a claim have '' or
 * `undeclared`.
 */
export const verificationStatuses = ['verified', 'spoofed', 'unverifiable', 'pending'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

/**
 * Method that classified a request as a bot's or an agent's, or will. network: the address is in the operator's own
 * autonomous system. cdn: the website's CDN verified it.
 */
export const verificationMethods = ['ranges', 'network', 'reverse_dns', 'cdn'] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

export const botCategories = [
  'search',
  'ai',
  'seo',
  'monitoring',
  'social',
  'feed',
  'archive',
  'advertising',
  'security',
  'tool',
  'other',
] as const;
export type BotCategory = (typeof botCategories)[number];

/** Purpose of an AI crawler's fetches (spec §4.4). */
export const aiIntents = ['training', 'search', 'fetcher'] as const;
export type AiIntent = (typeof aiIntents)[number];

export const deviceTypes = [
  'desktop',
  'mobile',
  'tablet',
  'tv',
  'console',
  'wearable',
  'other',
  'bot',
] as const;
export type DeviceType = (typeof deviceTypes)[number];

export const referrerClasses = ['direct', 'internal', 'search', 'ai', 'social', 'spam', 'external'] as const;
export type ReferrerClass = (typeof referrerClasses)[number];

/** Fields that the enricher adds to a raw request. */
export interface Enrichment {
  /** Path only, in normal spelling (shared/urls/normal-spelling.ts). */
  path: string;
  /** Query string without '?', in normal spelling. */
  query: string;
  /** Path and query as sent; '' if equal to their normal spelling. Shown only for single requests. */
  sent_target: string;
  /** Lower-case extension; 'html' for none if the path looks like a page; 'png', 'pdf', … */
  file_type: string;
  /**
   * Whether it claims to be a bot. An undeclared agent does not; use the traffic class to exclude everything but
   * people.
   */
  is_bot: boolean;
  /**
   * Whether the request is a search for vulnerabilities (shared/detection/probes.ts). Verified crawlers also send such
   * requests, because they follow links.
   */
  is_probe: boolean;
  traffic_class: TrafficClass;
  bot_name: string;
  /** Variant of the crawler, if it has main ones: smartphone, desktop; else ''. */
  bot_variant: string;
  bot_family: string;
  /** For an undeclared agent: the operator of its address; '' if only the CDN recognised it. */
  bot_operator: string;
  bot_category: BotCategory | '';
  ai_intent: AiIntent | '';
  /** undeclared: claims no bot, but is no person; '' for people. */
  bot_verification: VerificationStatus | 'undeclared' | '';
  /** '' for people, and for claims that cannot be verified. */
  verification_method: VerificationMethod | '';
  /** Version of the rules that classified it (shared/crawlers/crawler-rules.ts). */
  rules_version: string;
  country: string;
  region: string;
  city: string;
  asn: number;
  as_name: string;
  browser: string;
  os: string;
  device_type: DeviceType;
  /** Referrer's host without www., lower case; '': none. */
  referrer_domain: string;
  referrer_class: ReferrerClass;
  /** Assistant that sent the visitor, by referrer host, utm_source, ref or source; '': none. */
  ai_operator: string;
}

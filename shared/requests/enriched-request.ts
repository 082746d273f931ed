/** A row of the ClickHouse table `requests` (shared/store/migrations/0001_baseline/requests.sql). */

/**
 * Coarse class of a request; every rollup that splits traffic splits it by this. spoofed_bot: the claim was known to
 * be false when the row was written. A row whose claim was pending has the class that it claims; a read moves it once
 * a late verdict says spoofed. undeclared_agent: it claims no bot and is no person (shared/crawlers/judge-request.ts).
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
 * Whether a bot's claim holds (docs/decisions/009-late-verdicts.md). Requests that claim no bot have '' or
 * `undeclared`.
 */
export const verificationStatuses = ['verified', 'spoofed', 'unverifiable', 'pending'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

/**
 * What decided that a request is a bot's or an agent's, or will. network: the address is in the operator's own autonomous system. cdn: the CDN
 * before the website said so.
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

/** What an AI crawler fetches for (spec §4.4). */
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

/** What the enricher adds to a raw request. */
export interface Enrichment {
  /** Path alone, in normal spelling (shared/urls/normal-spelling.ts). */
  path: string;
  /** Query string without '?', in normal spelling. */
  query: string;
  /** Path and query as they were sent; '' where that is their normal spelling. Shown of single requests alone. */
  sent_target: string;
  /** Lower-case extension ('html' for none where the path looks like a page, 'png', 'pdf', …). */
  file_type: string;
  /** Whether it claims to be a bot. An undeclared agent does not: what is no person's is told by the traffic class. */
  is_bot: boolean;
  /** Whether only a client that looks for holes makes such a request (shared/detection/probes.ts). Verified crawlers make them as well: they follow links. */
  is_probe: boolean;
  traffic_class: TrafficClass;
  bot_name: string;
  /** Variant within the name where a crawler has main ones: smartphone, desktop; else ''. */
  bot_variant: string;
  bot_family: string;
  /** Of an undeclared agent: the operator whose address it has; '' where only the CDN knows it. */
  bot_operator: string;
  bot_category: BotCategory | '';
  ai_intent: AiIntent | '';
  /** undeclared: claims no bot, and is no person; '' for people. */
  bot_verification: VerificationStatus | 'undeclared' | '';
  /** '' for people, and for claims that nothing can decide. */
  verification_method: VerificationMethod | '';
  /** Which rules judged it (shared/crawlers/crawler-rules.ts). */
  rules_version: string;
  country: string;
  region: string;
  city: string;
  asn: number;
  as_name: string;
  browser: string;
  os: string;
  device_type: DeviceType;
  /** Referrer's host without www., lower case; '' for none. */
  referrer_domain: string;
  referrer_class: ReferrerClass;
  /** Assistant that sent the visitor, by referrer host, utm_source, ref or source; '' for none. */
  ai_operator: string;
}

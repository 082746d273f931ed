import { LRUCache } from 'lru-cache';
import type { VerifyByRanges } from '../../shared/crawlers/range-verifier.js';
import type { ReferrerList } from '../../shared/crawlers/referrers.js';
import type { CrawlerIdentity } from '../../shared/crawlers/table.js';
import type { Enrichment } from '../../shared/requests/enriched-request.js';
import type { RawBlock, RawRequest } from '../../shared/requests/raw-request.js';
import { createClassifyReferrerStep } from './steps/classify-referrer.js';
import { fileTypeOf } from './steps/file-type.js';
import { type BotFields, botFieldsOf } from './steps/identify-crawler.js';
import type { Locate } from './steps/locate.js';
import { botDevice, type Device, recogniseDevice } from './steps/recognise-device.js';
import { splitPathAndQuery } from './steps/split-path-and-query.js';
import { createVerifyCrawlerStep } from './steps/verify-crawler.js';
import type { DnsVerifier } from './verification/dns-verifier.js';

export interface EnrichDependencies {
  readonly identifyCrawler: (userAgent: string) => CrawlerIdentity | null;
  readonly verifyByRanges: VerifyByRanges;
  readonly dnsVerifier: Pick<DnsVerifier, 'verdictOf'>;
  readonly locate: Locate;
  readonly referrers: ReferrerList;
  /** Domain of a website; null where it is unknown (deleted meanwhile). */
  websiteDomain(websiteId: string): string | null;
  /** How long the rows of a website are kept: a late verdict lives as long. */
  retentionDays(websiteId: string): number;
  /** User agents and referring hosts whose answers are kept; some 1 KB each. */
  readonly cacheSize?: number;
}

/** All that a user agent alone decides. */
interface UserAgentFacts {
  readonly identity: CrawlerIdentity | null;
  readonly bot: BotFields;
  readonly device: Device;
}

/** Longer user agents are not kept: a few thousand of them would fill the memory. */
const LONGEST_CACHED_USER_AGENT = 1_024;

/**
 * Makes the function from a raw request to what its row gets beyond it: pure apart from caches, and a
 * verdict of reverse DNS may change between two calls.
 */
export function createEnrichRequest(
  deps: EnrichDependencies,
): (block: RawBlock, request: RawRequest) => Enrichment {
  const { identifyCrawler, locate, websiteDomain, cacheSize = 20_000 } = deps;
  const verifyCrawler = createVerifyCrawlerStep(deps);
  const classifyReferrer = createClassifyReferrerStep(deps.referrers, cacheSize);
  const userAgents = new LRUCache<string, UserAgentFacts>({ max: cacheSize });

  function factsOf(userAgent: string): UserAgentFacts {
    const cached = userAgents.get(userAgent);
    if (cached !== undefined) return cached;
    const identity = identifyCrawler(userAgent);
    const facts = {
      identity,
      bot: botFieldsOf(identity),
      device: identity === null ? recogniseDevice(userAgent) : botDevice,
    };
    if (userAgent.length <= LONGEST_CACHED_USER_AGENT) userAgents.set(userAgent, facts);
    return facts;
  }

  return (block, request) => {
    const { path, query } = splitPathAndQuery(request.target);
    const { identity, bot, device } = factsOf(request.user_agent);
    const location = locate(request.client_ip, request.source_country, request.source_asn);
    const referral = classifyReferrer({
      referrer: request.referrer,
      query,
      siteDomain: websiteDomain(block.website_id),
      host: request.host,
    });
    const verification = identity === null ? '' : verifyCrawler(identity, request.client_ip, block);
    return {
      path,
      query,
      file_type: fileTypeOf(path, request.content_type),
      is_bot: bot.is_bot,
      traffic_class: verification === 'spoofed' ? 'spoofed_bot' : bot.traffic_class,
      bot_name: bot.bot_name,
      bot_variant: bot.bot_variant,
      bot_family: bot.bot_family,
      bot_operator: bot.bot_operator,
      bot_category: bot.bot_category,
      ai_intent: bot.ai_intent,
      bot_verification: verification,
      country: location.country,
      region: location.region,
      city: location.city,
      asn: location.asn,
      as_name: location.as_name,
      browser: device.browser,
      os: device.os,
      device_type: device.device_type,
      referrer_domain: referral.referrer_domain,
      referrer_class: referral.referrer_class,
      ai_operator: referral.ai_operator,
    };
  };
}

import type { CrawlerRules } from '../../shared/crawlers/crawler-rules.js';
import { createRequestClassifier } from '../../shared/crawlers/judge-request.js';
import type { ReferrerList } from '../../shared/crawlers/referrers.js';
import type { Enrichment } from '../../shared/requests/enriched-request.js';
import { lastDayOf } from '../../shared/requests/last-day.js';
import type { RawBlock, RawRequest } from '../../shared/requests/raw-request.js';
import type { KeptOfVisitors } from './kept-of-visitors.js';
import { createClassifyReferrerStep } from './steps/classify-referrer.js';
import { fileTypeOf } from './steps/file-type.js';
import type { Locate } from './steps/locate.js';
import { splitPathAndQuery } from './steps/split-path-and-query.js';
import type { DnsVerifier } from './verification/dns-verifier.js';

export interface EnrichDependencies {
  readonly rules: CrawlerRules;
  readonly dnsVerifier: Pick<DnsVerifier, 'verdictOf'>;
  readonly locate: Locate;
  readonly referrers: ReferrerList;
  /** Domain of a website; null where it is unknown (deleted meanwhile). */
  websiteDomain(websiteId: string): string | null;
  /** How long the rows of a website are kept: a late verdict lives as long. */
  retentionDays(websiteId: string): number;
  /** What the website keeps of its visitors; absent: everything. */
  privacyOf?(websiteId: string): KeptOfVisitors;
  /** User agents and referring hosts whose answers are kept; some 1 KB each. */
  readonly cacheSize?: number;
}

/**
 * Makes the function from a raw request to what its row gets beyond it: pure apart from caches, and a
 * verdict of reverse DNS may change between two calls.
 */
export function createEnrichRequest(
  deps: EnrichDependencies,
): (block: RawBlock, request: RawRequest) => Enrichment {
  const { rules, dnsVerifier, locate, websiteDomain, retentionDays, cacheSize = 20_000 } = deps;
  const judge = createRequestClassifier(rules, cacheSize);
  const classifyReferrer = createClassifyReferrerStep(deps.referrers, cacheSize);

  return (block, request) => {
    const { path, query } = splitPathAndQuery(request.target);
    const location = locate(request.client_ip, request.source_country, request.source_asn);
    const referral = classifyReferrer({
      referrer: request.referrer,
      query,
      siteDomain: websiteDomain(block.website_id),
      host: request.host,
    });
    const judgement = judge(request, (family, clientIp) => {
      const verdict = dnsVerifier.verdictOf(family, clientIp, {
        websiteId: block.website_id,
        lastDay: lastDayOf(block.received_at, retentionDays(block.website_id)),
      });
      // A verdict that comes later is stored with the address, for as long as the rows: where addresses go before, it never comes.
      const forgets = (deps.privacyOf?.(block.website_id).addressDays ?? null) !== null;
      return verdict === 'pending' && forgets ? 'unverifiable' : verdict;
    });
    return {
      path,
      query,
      file_type: fileTypeOf(path, request.content_type),
      is_bot: judgement.is_bot,
      traffic_class: judgement.traffic_class,
      bot_name: judgement.bot_name,
      bot_variant: judgement.bot_variant,
      bot_family: judgement.bot_family,
      bot_operator: judgement.bot_operator,
      bot_category: judgement.bot_category,
      ai_intent: judgement.ai_intent,
      bot_verification: judgement.bot_verification,
      verification_method: judgement.verification_method,
      rules_version: judgement.rules_version,
      device_type: judgement.device_type,
      os: judgement.os,
      browser: judgement.browser,
      country: location.country,
      region: location.region,
      city: location.city,
      asn: location.asn,
      as_name: location.as_name,
      referrer_domain: referral.referrer_domain,
      referrer_class: referral.referrer_class,
      ai_operator: referral.ai_operator,
    };
  };
}

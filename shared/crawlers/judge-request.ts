import { LRUCache } from 'lru-cache';
import type {
  BotCategory,
  Enrichment,
  TrafficClass,
  VerificationStatus,
} from '../requests/enriched-request.js';
import type { RawRequest } from '../requests/raw-request.js';
import { botDevice, type Device, recogniseDevice } from '../requests/recognise-device.js';
import type { CrawlerRules } from './crawler-rules.js';
import type { CrawlerIdentity } from './table.js';
import { verifyClaim } from './verify-claim.js';

/** Fields of a request that the rules use. */
export type JudgedRequest = Pick<RawRequest, 'user_agent' | 'client_ip' | 'timestamp' | 'cdn_bot_category'> &
  Pick<Enrichment, 'asn'>;

/** Columns of `requests` that the crawler rules determine, by name. */
export type Judgement = Pick<
  Enrichment,
  | 'is_bot'
  | 'traffic_class'
  | 'bot_name'
  | 'bot_variant'
  | 'bot_family'
  | 'bot_operator'
  | 'bot_category'
  | 'ai_intent'
  | 'bot_verification'
  | 'verification_method'
  | 'rules_version'
  | keyof Device
>;

/** Reverse DNS: the verdict on an address that claims the family, as far as known. */
export type AskDns = (family: string, clientIp: string) => VerificationStatus;

type ClaimFields = Pick<
  Judgement,
  'is_bot' | 'bot_name' | 'bot_variant' | 'bot_family' | 'bot_operator' | 'bot_category' | 'ai_intent'
>;

/** Everything that the user agent alone determines. */
interface UserAgentFacts {
  readonly identity: CrawlerIdentity | null;
  readonly claim: ClaimFields;
  readonly device: Device;
  /** Facts for a request from outside the crawler's networks; null if the user agent is the crawler's everywhere. */
  readonly elsewhere: UserAgentFacts | null;
  /** The last judgement, which is usually repeated. */
  last: Judgement | null;
}

function createFacts(userAgent: string, identity: CrawlerIdentity | null): UserAgentFacts {
  return {
    identity,
    claim: claimOf(identity),
    device: identity === null ? recogniseDevice(userAgent) : botDevice,
    elsewhere: identity === null || identity.onlyFrom === null ? null : createFacts(userAgent, null),
    last: null,
  };
}

function factsFrom(asn: number, facts: UserAgentFacts): UserAgentFacts {
  const isCrawlers = facts.identity?.onlyFrom?.has(asn) ?? true;
  return isCrawlers ? facts : (facts.elsewhere ?? facts);
}

/** Longer user agents are not cached: a few thousand of them would fill the memory. */
const LONGEST_CACHED_USER_AGENT = 1_024;

/**
 * Creates the function that classifies a request: the claimed crawler, whether the claim is true, and the traffic
 * class. Pure apart from its cache: the result depends only on the request, `rules` and `askDns`.
 * @param cacheSize user agents whose facts are cached; some 1 KB each.
 */
export function createJudge(
  rules: CrawlerRules,
  cacheSize: number,
): (request: JudgedRequest, askDns: AskDns) => Judgement {
  const userAgents = new LRUCache<string, UserAgentFacts>({ max: cacheSize });

  function factsOf(userAgent: string): UserAgentFacts {
    const cached = userAgents.get(userAgent);
    if (cached !== undefined) return cached;
    const facts = createFacts(userAgent, rules.identify(userAgent));
    if (userAgent.length <= LONGEST_CACHED_USER_AGENT) userAgents.set(userAgent, facts);
    return facts;
  }

  // Callers pass requests grouped by user agent.
  let last: { readonly userAgent: string; readonly facts: UserAgentFacts } | null = null;

  function factsAgain(userAgent: string): UserAgentFacts {
    if (last === null || last.userAgent !== userAgent) last = { userAgent, facts: factsOf(userAgent) };
    return last.facts;
  }

  return (request, askDns) => {
    const facts = factsFrom(request.asn, factsAgain(request.user_agent));
    const verification =
      facts.identity === null
        ? judgeUnclaimed(request, rules)
        : judgeClaim(facts.identity, request, rules, askDns);
    const version = rules.versionAt(request.timestamp);
    if (facts.last === null || !isSame(facts.last, verification, version, facts.claim))
      facts.last = judgementOf(facts, verification, version);
    return facts.last;
  };
}

function isSame(last: Judgement, verification: Verification, version: string, claim: ClaimFields): boolean {
  return (
    last.traffic_class === verification.traffic_class &&
    last.bot_verification === verification.bot_verification &&
    last.verification_method === verification.verification_method &&
    last.bot_operator === (verification.bot_operator ?? claim.bot_operator) &&
    last.rules_version === version
  );
}

function judgementOf(
  { claim, device }: UserAgentFacts,
  verification: Verification,
  version: string,
): Judgement {
  // Field by field, as in enrich.ts: several spreads take five times as long.
  return {
    is_bot: claim.is_bot,
    traffic_class: verification.traffic_class,
    bot_name: claim.bot_name,
    bot_variant: claim.bot_variant,
    bot_family: claim.bot_family,
    bot_operator: verification.bot_operator ?? claim.bot_operator,
    bot_category: claim.bot_category,
    ai_intent: claim.ai_intent,
    bot_verification: verification.bot_verification,
    verification_method: verification.verification_method,
    rules_version: version,
    device_type: device.device_type,
    os: device.os,
    browser: device.browser,
  };
}

type Verification = Pick<Judgement, 'traffic_class' | 'bot_verification' | 'verification_method'> & {
  /** Set if no claim names the operator. */
  readonly bot_operator?: string;
};

function judgeClaim(
  identity: CrawlerIdentity,
  request: JudgedRequest,
  rules: CrawlerRules,
  askDns: AskDns,
): Verification {
  const { status, method } = verifyClaim(identity, request, rules, askDns);
  return {
    traffic_class: status === 'spoofed' ? 'spoofed_bot' : classOf(identity.category),
    bot_verification: status,
    verification_method: method,
  };
}

const human: Verification = Object.freeze({
  traffic_class: 'human',
  bot_verification: '',
  verification_method: '',
});

/**
 * A browser's user agent is a person's, unless the address belongs to an AI operator or the CDN identifies the client
 * as a bot. Then it is an undeclared agent. It claims no bot, so it has no name and is not counted as a crawler or a
 * person.
 */
function judgeUnclaimed(
  { client_ip, timestamp, cdn_bot_category }: JudgedRequest,
  { agentOperatorOf }: CrawlerRules,
): Verification {
  const operator = agentOperatorOf(client_ip, timestamp);
  if (operator === '' && cdn_bot_category === '') return human;
  return {
    traffic_class: 'undeclared_agent',
    bot_operator: operator,
    bot_verification: 'undeclared',
    verification_method: operator === '' ? 'cdn' : 'ranges',
  };
}

const noClaim: ClaimFields = Object.freeze({
  is_bot: false,
  bot_name: '',
  bot_variant: '',
  bot_family: '',
  bot_operator: '',
  bot_category: '',
  ai_intent: '',
});

/** Name, family and category are those of the claim, whether it is true or not. */
function claimOf(identity: CrawlerIdentity | null): ClaimFields {
  if (identity === null) return noClaim;
  return {
    is_bot: true,
    bot_name: identity.name,
    bot_variant: identity.variant,
    bot_family: identity.family,
    bot_operator: identity.operator,
    bot_category: identity.category,
    ai_intent: identity.aiIntent ?? '',
  };
}

/** Class of a claim that is not disproved. */
function classOf(category: BotCategory): TrafficClass {
  if (category === 'search') return 'search_bot';
  return category === 'ai' ? 'ai_bot' : 'other_bot';
}

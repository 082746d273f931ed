import type { AiIntent, BotCategory } from '../requests/enriched-request.js';
import { formOf, isAttack, isEmptyText, namesClient, unwrapped, withoutDeviceModel } from './browser-form.js';
import { createGenericBotRecogniser, type GenericBot } from './generic-bot.js';
import type { CrawlerTable } from './load-table.js';
import { createTokenIndex } from './token-index.js';

/**
 * Identity that a user agent claims. The claim is checked elsewhere (range-verifier.ts, the enricher's DNS verifier).
 */

export const verificationMethods = ['none', 'ranges', 'reverse_dns', 'ranges_then_reverse_dns'] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

export interface CrawlerIdentity {
  readonly name: string;
  /** smartphone, mobile or desktop if the crawler has these variants; else ''. */
  readonly variant: string;
  /** Unit of verification. */
  readonly family: string;
  /** '' if unknown. */
  readonly operator: string;
  readonly category: BotCategory;
  readonly aiIntent: AiIntent | null;
  readonly method: VerificationMethod;
  /**
   * The user agent is the crawler's only from these autonomous systems, because people also send it; null: from any.
   */
  readonly onlyFrom: ReadonlySet<number> | null;
}

/**
 * A client without a user agent ('-' in logs). No browser sends an empty one, so it counts as a bot of category
 * 'other'.
 */
const NO_USER_AGENT = 'No user agent';
/**
 * A client whose user agent is the text of an attack, or begins like a browser's without naming one. People's browsers
 * send neither.
 */
export const UNKNOWN_CLIENT = 'Unknown client';
/** Names of clients whose user agent identifies nobody. */
export const NAMELESS_CLIENTS: readonly string[] = [NO_USER_AGENT, UNKNOWN_CLIENT];
const noUserAgent = nameless(NO_USER_AGENT);
const unknownClient = nameless(UNKNOWN_CLIENT);

function nameless(name: string): CrawlerIdentity {
  return Object.freeze({
    name,
    variant: '',
    family: name,
    operator: '',
    category: 'other',
    aiIntent: null,
    method: 'none',
    onlyFrom: null,
  });
}

/** Identities of one table entry; `mobile` is the mobile variant, if any. */
interface Identities {
  readonly desktop: CrawlerIdentity;
  readonly mobile: CrawlerIdentity | null;
}

const MOBILE = /\bMobile\b/;

/**
 * Compiles a table into a function from a user agent to the claimed identity; null for people. One scan finds whole
 * tokens: Claude-User is never ClaudeBot, nor Googlebot-Image Googlebot. If several crawlers are named the first wins.
 * A tool (HTTP library, headless browser) yields to any other, since crawlers use tools. The user agent's form decides
 * which tokens count (browser-form.ts). Identities are shared and frozen; cache them by user agent.
 */
export function createCrawlerIdentifier(table: CrawlerTable): (userAgent: string) => CrawlerIdentity | null {
  const methods = methodsOfFamilies(table);
  const entries = table.crawlers.map((entry) => {
    const family = entry.family ?? entry.name;
    const identity: CrawlerIdentity = Object.freeze({
      name: entry.name,
      variant: entry.mobile_variant === undefined ? '' : 'desktop',
      family,
      operator: entry.operator,
      category: entry.category,
      aiIntent: entry.intent ?? null,
      method: methods.get(family) ?? 'none',
      onlyFrom: null,
    });
    const mobile =
      entry.mobile_variant === undefined
        ? null
        : Object.freeze({ ...identity, variant: entry.mobile_variant });
    const value: Identities = { desktop: identity, mobile };
    return { ...entry, weak: entry.category === 'tool', value };
  });
  const findToken = createTokenIndex(entries);
  const findCertainToken = createTokenIndex(entries.filter(({ certain }) => certain));
  const whole = new Map(
    entries.flatMap(({ imitates, value }) => {
      if (imitates === undefined) return [];
      const identity = Object.freeze({ ...value.desktop, onlyFrom: new Set(imitates.networks) });
      return imitates.user_agents.map((text) => [text, identity] as const);
    }),
  );
  const recogniseGeneric = createGenericBotRecogniser();

  return (sent) => {
    const userAgent = unwrapped(sent);
    if (userAgent === '' || userAgent === '-') return noUserAgent;
    if (isAttack(sent) || isEmptyText(userAgent)) return unknownClient;
    const text = withoutDeviceModel(userAgent);
    switch (formOf(text)) {
      case 'browser':
        return listed(findCertainToken(text), userAgent) ?? whole.get(withoutVersion(userAgent)) ?? null;
      case 'half':
        return listed(findToken(text), userAgent) ?? unknownClient;
      case 'other':
        return listed(findToken(text), userAgent) ?? unlisted(text);
    }
  };

  function unlisted(text: string): CrawlerIdentity | null {
    const bot = recogniseGeneric(text);
    if (bot !== null) return identityOfGeneric(bot);
    return namesClient(text) ? null : unknownClient;
  }
}

function listed(found: Identities | null, userAgent: string): CrawlerIdentity | null {
  if (found === null) return null;
  return found.mobile !== null && MOBILE.test(userAgent) ? found.mobile : found.desktop;
}

/** Spelled as in the table's entries. Since version 101 Chrome only shows its major version. */
function withoutVersion(userAgent: string): string {
  return userAgent.replace(/\bChrome\/\d+\.0\.0\.0/, 'Chrome/*.0.0.0');
}

function methodsOfFamilies(table: CrawlerTable): Map<string, VerificationMethod> {
  return new Map(
    table.families.map(({ name, feeds, hosts }) => {
      if (feeds === undefined) return [name, 'reverse_dns'];
      return [name, hosts === undefined ? 'ranges' : 'ranges_then_reverse_dns'];
    }),
  );
}

/** A name from a user agent can equal a family with a verification method, but must not use its verification. */
function identityOfGeneric({ name, category }: GenericBot): CrawlerIdentity {
  return Object.freeze({ ...nameless(name), category });
}

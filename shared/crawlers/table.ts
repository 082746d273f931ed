import type { AiIntent, BotCategory } from '../requests/enriched-request.js';
import { formOf, isAttack, isEmptyText, namesClient, unwrapped, withoutDeviceModel } from './browser-form.js';
import { createGenericBotRecogniser, type GenericBot } from './generic-bot.js';
import type { CrawlerTable } from './load-table.js';
import { createTokenIndex } from './token-index.js';

/** Who a user agent claims to be. The claim is checked apart (range-verifier.ts, the enricher's DNS verifier). */

export const verificationMethods = ['none', 'ranges', 'reverse_dns', 'ranges_then_reverse_dns'] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

export interface CrawlerIdentity {
  readonly name: string;
  /** smartphone, mobile or desktop where the crawler has these variants; else ''. */
  readonly variant: string;
  /** Unit of verification. */
  readonly family: string;
  /** '' where nobody is known to answer for it. */
  readonly operator: string;
  readonly category: BotCategory;
  readonly aiIntent: AiIntent | null;
  readonly method: VerificationMethod;
  /** Autonomous systems from which alone the user agent is the crawler's, because people send it, too; null: any. */
  readonly onlyFrom: ReadonlySet<number> | null;
}

/**
 * A client that names nothing. No browser sends an empty user agent, so it counts as a bot of category
 * 'other'; sources write '-' for it.
 */
const NO_USER_AGENT = 'No user agent';
/** A client whose user agent is the text of an attack, or a browser's without the browser. No browser of people sends either. */
export const UNKNOWN_CLIENT = 'Unknown client';
/** Names given to clients whose user agent identifies nobody. */
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

/** Identities of one table entry: the second is the mobile variant's, where there is one. */
interface Identities {
  readonly desktop: CrawlerIdentity;
  readonly mobile: CrawlerIdentity | null;
}

const MOBILE = /\bMobile\b/;

/**
 * Precompiles a table into one function from a user agent to who it claims to be, null for people. It scans
 * once for whole tokens: Claude-User is never taken for ClaudeBot, nor Googlebot-Image for Googlebot. Where
 * several crawlers are named the first wins, but a tool (HTTP library, headless browser) yields to any
 * other, since crawlers are built with tools. What counts follows from the form of the user agent (browser-form.ts). Answers are
 * shared and frozen; cache them by user agent.
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

/** As entries have it. Since version 101, Chrome shows the first number of its version alone. */
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

/** A name out of a user agent can equal a family that has a method; it must not borrow its verification. */
function identityOfGeneric({ name, category }: GenericBot): CrawlerIdentity {
  return Object.freeze({ ...nameless(name), category });
}

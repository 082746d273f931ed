import { createHostClassifier } from '../../crawlers/classify-host.js';
import { createNamedAssistant } from '../../crawlers/named-assistant.js';
import type { ReferrerList } from '../../crawlers/referrers.js';

/** Who sent a session, as its source and medium tell it. */
export interface Sender {
  /** Operator of the AI assistant; '': none. */
  readonly aiOperator: string;
  /** It came from the results of a search engine, advertisements aside. */
  readonly isSearch: boolean;
}

/** Media of a visit that nobody paid for. */
const unpaid = new Set(['organic', 'referral', '(none)', '(not set)', '']);

/**
 * Tells senders by the list that tells those of requests in the logs (crawlers/data/referrers-…): a source is what utm_source said, or the
 * referring host.
 */
export function createSenders(list: ReferrerList): (source: string, medium: string) => Sender {
  const kindOf = createHostClassifier(list);
  const namedAssistant = createNamedAssistant(list, kindOf);
  return (source, medium) => {
    const named = source.toLowerCase().trim();
    const host = named.startsWith('www.') ? named.slice(4) : named;
    // What is longer names no host.
    const { referral } = kindOf(host.slice(0, 253));
    const aiOperator = namedAssistant(named, 'utm_source') ?? '';
    const isUnpaid = unpaid.has(medium.toLowerCase());
    const isListed = medium.toLowerCase() === 'organic' || (isUnpaid && referral.referrer_class === 'search');
    return { aiOperator, isSearch: aiOperator === '' && isListed };
  };
}

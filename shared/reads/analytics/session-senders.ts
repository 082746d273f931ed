import { createHostClassifier } from '../../crawlers/classify-host.js';
import { createNamedAssistant } from '../../crawlers/named-assistant.js';
import type { ReferrerList } from '../../crawlers/referrers.js';

/** The sender of a session, derived from its source and medium. */
export interface Sender {
  /** Operator of the AI assistant; '': none. */
  readonly aiOperator: string;
  /** The session came from search results, excluding advertisements. */
  readonly isSearch: boolean;
}

/** Media of unpaid visits. */
const unpaid = new Set(['organic', 'referral', '(none)', '(not set)', '']);

/**
 * Recognises senders by the list that is used for requests in the logs (crawlers/data/referrers-…). A source is a utm_source value or the
 * referring host.
 */
export function createSenders(list: ReferrerList): (source: string, medium: string) => Sender {
  const kindOf = createHostClassifier(list);
  const namedAssistant = createNamedAssistant(list, kindOf);
  return (source, medium) => {
    const name = source.toLowerCase().trim();
    const host = name.startsWith('www.') ? name.slice(4) : name;
    // A longer text is not a host name.
    const { referral } = kindOf(host.slice(0, 253));
    const aiOperator = namedAssistant(name, 'utm_source') ?? '';
    const isUnpaid = unpaid.has(medium.toLowerCase());
    const isListed = medium.toLowerCase() === 'organic' || (isUnpaid && referral.referrer_class === 'search');
    return { aiOperator, isSearch: aiOperator === '' && isListed };
  };
}

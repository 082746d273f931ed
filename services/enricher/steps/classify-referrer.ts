import { LRUCache } from 'lru-cache';
import {
  createHostClassifier,
  type HostKind,
  type Referral,
} from '../../../shared/crawlers/classify-host.js';
import { createNamedAssistant } from '../../../shared/crawlers/named-assistant.js';
import type { ReferrerList } from '../../../shared/crawlers/referrers.js';
import { sendersOf } from './senders-of.js';

export interface ReferrerInput {
  /** Referer header as sent. */
  readonly referrer: string;
  /** Operator of the assistant that the request's query names; '' for none. */
  readonly named: string;
  /** Domain of the website; null if unknown. */
  readonly siteDomain: string | null;
  /** Requested host, which replaces an unknown domain. */
  readonly host: string;
}

export interface ClassifyReferrer {
  /** Operator of the assistant that a query names; '' for none. */
  namedBy(query: string): string;
  classify(input: ReferrerInput): Referral;
}

const direct: Referral = Object.freeze({ referrer_domain: '', referrer_class: 'direct', ai_operator: '' });

/**
 * Classifies the source of a visit.
 *
 * An assistant sent it if the referrer's host, or the request's query, names one. If the host is also a
 * search engine, the path or query must name it. An internal link stays internal with any query, and spam
 * stays spam. Assistants in a search page send no referrer of their own and count as search.
 */
export function createClassifyReferrerStep(list: ReferrerList, cacheSize: number): ClassifyReferrer {
  const classifyHost = createHostClassifier(list);
  const kinds = new LRUCache<string, HostKind>({ max: cacheSize });
  const namedAssistant = createNamedAssistant(list, kindOf);

  return {
    namedBy(query) {
      for (const { value, parameter, campaign } of sendersOf(query)) {
        const operator = namedAssistant(value, parameter, campaign);
        if (operator !== undefined) return operator;
      }
      return '';
    },
    classify({ referrer, named, siteDomain, host }) {
      const sender = hostOfReferrer(referrer);
      if (sender !== '' && isSameSite(sender, siteDomain ?? host)) {
        return { referrer_domain: sender, referrer_class: 'internal', ai_operator: '' };
      }
      const referral = sender === '' ? direct : referralOf(sender, referrer);
      if (named === '' || referral.referrer_class === 'ai' || referral.referrer_class === 'spam')
        return referral;
      return { referrer_domain: sender, referrer_class: 'ai', ai_operator: named };
    },
  };

  function kindOf(host: string): HostKind {
    let kind = kinds.get(host);
    if (kind === undefined) {
      kind = classifyHost(host);
      kinds.set(host, kind);
    }
    return kind;
  }

  function referralOf(sender: string, referrer: string): Referral {
    const kind = kindOf(sender);
    if (kind.pages.length === 0) return kind.referral;
    const [path, query] = pageOfReferrer(referrer);
    const assistant = kind.pages.find(
      ({ prefix, parameter }) => isBelow(path, prefix) && hasParameter(query, parameter),
    );
    return assistant?.referral ?? kind.referral;
  }
}

/** The referrer's host in lower case without www., userinfo and port; '' if it has none. */
export function hostOfReferrer(referrer: string): string {
  const scheme = referrer.indexOf('://');
  if (scheme <= 0) return '';
  const start = scheme + 3;
  let end = start;
  while (end < referrer.length && !isEndOfAuthority(referrer.charCodeAt(end))) end += 1;
  const authority = referrer.slice(start, end).toLowerCase();
  const name = authority.slice(authority.lastIndexOf('@') + 1);
  const host = name.startsWith('[') ? name.slice(0, name.indexOf(']') + 1) : name.replace(/:\d*$/, '');
  const bare = host.endsWith('.') ? host.slice(0, -1) : host;
  if (bare === '' || bare.length > 253 || /[^\w.:[\]\u0080-\uffff-]/.test(bare)) return '';
  return bare.startsWith('www.') ? bare.slice(4) : bare;
}

function isEndOfAuthority(code: number): boolean {
  return code === 47 || code === 63 || code === 35 || code === 92;
}

function pageOfReferrer(referrer: string): [path: string, query: string] {
  let start = referrer.indexOf('://') + 3;
  while (start < referrer.length && !isEndOfAuthority(referrer.charCodeAt(start))) start += 1;
  const [page = ''] = referrer.slice(start).toLowerCase().split('#', 1);
  const end = page.indexOf('?');
  return end < 0 ? [page, ''] : [page.slice(0, end), page.slice(end + 1)];
}

/** `/chat` and `/chat/x` are below /chat; `/chatter` is not. An empty path is the root. */
function isBelow(path: string, prefix: string): boolean {
  if (prefix === '/') return path === '/' || path === '';
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

function hasParameter(query: string, parameter: string): boolean {
  return parameter === '' || query.split('&').includes(parameter);
}

function isSameSite(host: string, site: string): boolean {
  const domain = site.startsWith('www.') ? site.slice(4) : site;
  if (domain === '') return false;
  return (
    host === domain ||
    (host.length > domain.length && host.endsWith(domain) && host.at(-domain.length - 1) === '.')
  );
}

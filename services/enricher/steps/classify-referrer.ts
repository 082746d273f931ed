import { LRUCache } from 'lru-cache';
import {
  createHostClassifier,
  type HostKind,
  type Referral,
} from '../../../shared/crawlers/classify-host.js';
import type { ReferrerList } from '../../../shared/crawlers/referrers.js';

export interface ReferrerInput {
  /** Referer header as sent. */
  readonly referrer: string;
  /** Query of the request, for utm_source. */
  readonly query: string;
  /** Domain of the website, null where it is unknown. */
  readonly siteDomain: string | null;
  /** Host that the request asked for; stands in for an unknown site. */
  readonly host: string;
}

const direct: Referral = Object.freeze({ referrer_domain: '', referrer_class: 'direct', ai_operator: '' });

/**
 * Where a visitor came from. A visit counts as sent by an assistant when the referrer's host (and path, where
 * the host is also a search engine) or the request's utm_source names one; a link followed within the site
 * stays internal whatever utm_source it carries on. Assistants inside a search page send no referrer of their
 * own and count as search.
 */
export function createClassifyReferrerStep(list: ReferrerList, cacheSize: number) {
  const kindOf = createHostClassifier(list);
  const kinds = new LRUCache<string, HostKind>({ max: cacheSize });
  const operatorOfSource = new Map(
    list.ai.flatMap(({ operator, utm_sources }) => utm_sources.map((source) => [source, operator] as const)),
  );

  return ({ referrer, query, siteDomain, host }: ReferrerInput): Referral => {
    const sender = hostOfReferrer(referrer);
    if (sender !== '' && isSameSite(sender, siteDomain ?? host)) {
      return { referrer_domain: sender, referrer_class: 'internal', ai_operator: '' };
    }
    const referral = sender === '' ? direct : referralOf(sender, referrer);
    if (referral.referrer_class === 'ai' || !query.includes('utm_source=')) return referral;
    const operator = operatorOfSource.get(utmSourceOf(query));
    if (operator === undefined) return referral;
    return { referrer_domain: sender, referrer_class: 'ai', ai_operator: operator };
  };

  function referralOf(sender: string, referrer: string): Referral {
    let kind = kinds.get(sender);
    if (kind === undefined) {
      kind = kindOf(sender);
      kinds.set(sender, kind);
    }
    if (kind.paths.length === 0) return kind.referral;
    const path = pathOfReferrer(referrer);
    const assistant = kind.paths.find(([prefix]) => isBelow(path, prefix));
    return assistant?.[1] ?? kind.referral;
  }
}

/** The referrer's host in lower case without www., userinfo and port; '' where it has none. */
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

function pathOfReferrer(referrer: string): string {
  const start = referrer.indexOf('/', referrer.indexOf('://') + 3);
  return start < 0 ? '/' : referrer.slice(start).toLowerCase();
}

/** `/chat`, `/chat/x` and `/chat?q=x` are below /chat; `/chatter` is not. */
function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && /^(?:$|[/?#])/.test(path.slice(prefix.length));
}

function isSameSite(host: string, site: string): boolean {
  const domain = site.startsWith('www.') ? site.slice(4) : site;
  if (domain === '') return false;
  return (
    host === domain ||
    (host.length > domain.length && host.endsWith(domain) && host.at(-domain.length - 1) === '.')
  );
}

const UTM_SOURCE = /(?:^|[&;])utm_source=([^&;#]*)/;

/** The value in lower case; as sent where its escapes are broken. */
function utmSourceOf(query: string): string {
  const value = (UTM_SOURCE.exec(query)?.[1] ?? '').toLowerCase();
  try {
    return decodeURIComponent(value.replaceAll('+', ' ')).trim();
  } catch {
    return value;
  }
}

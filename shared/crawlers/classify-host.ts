import type { ReferrerClass } from '../requests/enriched-request.js';
import type { ReferrerList } from './referrers.js';

export interface Referral {
  /** Host without www., lower case; '': none. */
  readonly referrer_domain: string;
  readonly referrer_class: ReferrerClass;
  /** Operator of the assistant that sent the visitor; '': none. */
  readonly ai_operator: string;
}

/** Classification of a referring host. */
export interface HostKind {
  readonly referral: Referral;
  /** Pages of the host that belong to an assistant. */
  readonly pages: readonly AssistantPages[];
}

export interface AssistantPages {
  readonly prefix: string;
  /** `name=value` that the query must contain; '': any query. */
  readonly parameter: string;
  readonly referral: Referral;
}

/** Classifies hosts, given in lower case and without www. */
export function createHostClassifier(list: ReferrerList): (host: string) => HostKind {
  const operatorOfHost = new Map(
    list.ai.flatMap(({ operator, hosts }) => hosts.map((host) => [host, operator])),
  );
  // The last of equal hosts wins: hosts in our own lists are never spam.
  const classes = new Map<string, ReferrerClass>([
    ...list.spam.hosts.map((host) => [host, 'spam'] as const),
    ...list.search.hosts.map((host) => [host, 'search'] as const),
    ...list.social.hosts.map((host) => [host, 'social'] as const),
  ]);
  const search = list.search.patterns.map((pattern) => new RegExp(pattern));
  const social = list.social.patterns.map((pattern) => new RegExp(pattern));
  const assistantPages = list.ai.flatMap(({ operator, paths = [] }) =>
    paths.map((page) => {
      const [path = '', parameter = ''] = page.split('?');
      const host = path.slice(0, path.indexOf('/'));
      return { operator, host, prefix: path.slice(host.length), parameter };
    }),
  );
  return (host) => {
    const referral = (referrer_class: ReferrerClass, ai_operator = ''): Referral =>
      Object.freeze({ referrer_domain: host, referrer_class, ai_operator });
    const operator = nearest(host, operatorOfHost);
    if (operator !== undefined) return { referral: referral('ai', operator), pages: [] };
    const listed = nearest(host, classes);
    const matches = (patterns: RegExp[]): boolean => patterns.some((pattern) => pattern.test(host));
    const kind = listed ?? (matches(search) ? 'search' : matches(social) ? 'social' : 'external');
    return {
      referral: referral(kind),
      pages: assistantPages
        .filter((page) => page.host === host)
        .map(({ prefix, parameter, operator }) => ({
          prefix,
          parameter,
          referral: referral('ai', operator),
        })),
    };
  };
}

/** The map's value for the host or the nearest domain above it. */
function nearest<Value>(host: string, map: ReadonlyMap<string, Value>): Value | undefined {
  for (let name = host; ; name = name.slice(name.indexOf('.') + 1)) {
    const value = map.get(name);
    if (value !== undefined || !name.includes('.')) return value;
  }
}

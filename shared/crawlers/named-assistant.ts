import type { HostKind } from './classify-host.js';
import type { ReferrerList } from './referrers.js';

/**
 * Link parameters that name the sender. utm_source has only this meaning; a shop may use the other for its own purpose.
 */
export type SenderParameter = 'utm_source' | 'ref';

/**
 * Operator of the assistant that a value names, in any case; undefined: none. A search engine with a chat distinguishes
 * the two by utm_campaign.
 */
export type NamedAssistant = (
  value: string,
  parameter: SenderParameter,
  campaign?: string,
) => string | undefined;

/** A value is a name in the list, or an assistant's host or URL. */
export function createNamedAssistant(list: ReferrerList, kindOf: (host: string) => HostKind): NamedAssistant {
  const operatorOfName = new Map(
    list.ai.flatMap(({ operator, utm_sources }) => utm_sources.map((source) => [source, operator] as const)),
  );
  const ordinaryWords = new Set(list.ordinary_words);
  return (value, parameter, campaign = '') => {
    const text = value.trim().toLowerCase();
    const name = text.replace(/[_ ]/g, '-');
    const operator =
      operatorOfName.get(name) ?? operatorOfName.get(`${name}&utm_campaign=${campaign.trim().toLowerCase()}`);
    if (operator !== undefined) return parameter === 'ref' && ordinaryWords.has(name) ? undefined : operator;
    const host = hostOf(text);
    if (host === '') return undefined;
    return kindOf(host).referral.ai_operator || undefined;
  };
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//;

/** '' if the text is not a host. */
function hostOf(name: string): string {
  const start = SCHEME.exec(name)?.[0].length ?? 0;
  const path = name.indexOf('/', start);
  const host = name.slice(start, path < 0 ? name.length : path);
  if (!host.includes('.') || host.length > 253) return '';
  return host.startsWith('www.') ? host.slice(4) : host;
}

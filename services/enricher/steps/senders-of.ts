import type { SenderParameter } from '../../../shared/crawlers/named-assistant.js';

/** A parameter of a query that may say who sent the visitor. */
export interface NamedSender {
  /** Decoded; as sent where its escapes are broken. */
  readonly value: string;
  readonly parameter: SenderParameter;
}

/** Names in any case, and with their marks percent-encoded: links are copied through programs that encode them. */
const SENDERS = /(?:^|[&;])(?:(utm(?:_|%5f)source)|ref|source)(?:=|%3d)([^&;#]*)/gi;
/** What most queries lack: matching costs five times as much. */
const MAY_NAME = /ref|source/i;
const NONE: readonly NamedSender[] = [];

/** Those of the query in their order, utm_source first. */
export function sendersOf(query: string): readonly NamedSender[] {
  if (query === '' || !MAY_NAME.test(query)) return NONE;
  const found: NamedSender[] = [];
  for (const [, utmSource, value = ''] of query.matchAll(SENDERS))
    found.push({ value: decoded(value), parameter: utmSource === undefined ? 'ref' : 'utm_source' });
  return found.length < 2 ? found : found.sort((a, b) => rankOf(a) - rankOf(b));
}

const rankOf = ({ parameter }: NamedSender) => (parameter === 'utm_source' ? 0 : 1);

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

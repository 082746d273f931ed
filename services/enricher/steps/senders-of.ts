import { isUtf8 } from 'node:buffer';
import type { SenderParameter } from '../../../shared/crawlers/named-assistant.js';

/** A query parameter that may name the sender of the visitor. */
export interface NamedSender {
  /** Decoded; as sent if its escapes are broken. */
  readonly value: string;
  readonly parameter: SenderParameter;
  /** The decoded utm_campaign beside utm_source; '' for none. */
  readonly campaign: string;
}

/**
 * Names in any case, with or without percent-encoded punctuation: some programs encode it when links are
 * copied.
 */
const SENDERS = /(?:^|[&;])(?:(utm(?:_|%5f)source)|ref|source)(?:=|%3d)([^&;#]*)/gi;
const CAMPAIGN = /(?:^|[&;])utm(?:_|%5f)campaign(?:=|%3d)([^&;#]*)/i;
/** A filter that most queries fail: a full match costs five times as much. */
const MAY_NAME = /ref|source/i;
const NONE: readonly NamedSender[] = [];

/**
 * The senders in a query, utm_source first, otherwise in order.
 * @param query in normal spelling, so ASCII
 */
export function sendersOf(query: string): readonly NamedSender[] {
  if (query === '' || !MAY_NAME.test(query)) return NONE;
  const found: NamedSender[] = [];
  const campaign = decoded(CAMPAIGN.exec(query)?.[1] ?? '');
  for (const [, utmSource, value = ''] of query.matchAll(SENDERS))
    found.push(
      utmSource === undefined
        ? { value: decoded(value), parameter: 'ref', campaign: '' }
        : { value: decoded(value), parameter: 'utm_source', campaign },
    );
  return found.length < 2 ? found : found.sort((a, b) => rankOf(a) - rankOf(b));
}

const rankOf = ({ parameter }: NamedSender) => (parameter === 'utm_source' ? 0 : 1);

const ESCAPE = /%([0-9a-f]{2})/gi;
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;

/** Avoids exceptions: a thrown error costs about 10 µs, and a query may have thousands of broken values. */
function decoded(value: string): string {
  const spaced = value.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  if (BROKEN_ESCAPE.test(spaced)) return value;
  const unescaped = spaced.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const bytes = Buffer.from(unescaped, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}

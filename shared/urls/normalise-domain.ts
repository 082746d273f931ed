import { isIP } from 'node:net';

/**
 * Converts pasted text (an address, a host with a port, a name in any script) to the host name of logs and DNS. Uses
 * the URL standard's own parsing and IDNA, so that logs and DNS agree on the name.
 */

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
// RFC 1035 §2.3.1 as widened by RFC 1123 §2.1: letters, digits and inner hyphens.
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;
// RFC 1035 §2.3.4: 255 octets on the wire, which is 253 characters without length bytes and root.
const MAX_LENGTH = 253;

export type NormalisedDomain = { readonly domain: string } | { readonly problem: string };

/**
 * Lower case, punycode, without scheme, credentials, port, path or trailing dot; `www.` stays. IP addresses and
 * single-label names (localhost) are refused: no public website has them, and DNS cannot identify their host.
 */
export function normaliseDomain(text: string): NormalisedDomain {
  const trimmed = text.trim();
  if (trimmed === '') return { problem: 'must not be empty' };
  // The URL parser silently drops tabs and line breaks inside a name.
  if (/[\s\p{Cc}]/u.test(trimmed)) return { problem: 'must not contain spaces or control characters' };

  const host = parseHost(trimmed.replace(SCHEME, '').replace(/^\/\//, ''));
  if (host === null) return problemWith(trimmed, 'is not a host name');
  if (host.startsWith('[') || isIP(host) !== 0)
    return problemWith(trimmed, 'is an IP address; expected a host name');
  if (host.length > MAX_LENGTH)
    return { problem: `must have at most ${MAX_LENGTH} characters (RFC 1035), got ${host.length}` };

  const labels = host.split('.');
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong !== undefined)
    return problemWith(trimmed, `is not a host name: "${shorten(wrong)}" is no valid label`);
  if (labels.length < 2) return problemWith(trimmed, 'has one label; expected a full name like example.com');
  return { domain: host };
}

function parseHost(address: string): string | null {
  try {
    const { hostname } = new URL(`http://${address}`);
    return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  } catch {
    return null;
  }
}

function problemWith(text: string, problem: string): NormalisedDomain {
  return { problem: `"${shorten(text)}" ${problem}` };
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

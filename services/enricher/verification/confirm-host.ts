import type { FamilyEntry } from '../../../shared/crawlers/table-schema.js';
import { parseAddress } from '../../../shared/requests/address.js';

/** Forward-confirmed reverse DNS of one address. */

/** The methods of the `node:dns/promises` Resolver; errors have DNS codes (ENOTFOUND, ESERVFAIL, …). */
export interface DnsResolver {
  reverse(ip: string): Promise<string[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

/** 'unverifiable' only for a correct name without forward records, if the operator has none. */
export type DnsVerdict = 'verified' | 'spoofed' | 'unverifiable';

/** The owner of an address can give it many names; honest owners use few. */
const MOST_NAMES = 8;

/**
 * Whether the address has a name of the family that resolves back to it.
 * @throws the resolver's error, unless it reports that the record does not exist: without an answer there is
 * no verdict
 */
export async function confirmHost(
  resolver: DnsResolver,
  family: Pick<FamilyEntry, 'hosts' | 'forward_records'>,
  clientIp: string,
): Promise<DnsVerdict> {
  const client = parseAddress(clientIp);
  if (client === null) return 'spoofed';
  const names = await answerOrNone(resolver.reverse(clientIp));
  const matching = names
    .slice(0, MOST_NAMES)
    .map((name) => name.toLowerCase().replace(/\.$/, ''))
    .filter((name) => family.hosts?.some((pattern) => matchesHost(pattern, name)));
  if (matching.length === 0) return 'spoofed';
  const wanted = String(client);
  const isIpv4 = typeof client === 'number';
  // As numbers, so that 2001:DB8:0::1 equals 2001:db8::1.
  let resolved = false;
  for (const name of matching) {
    const addresses = await answerOrNone(isIpv4 ? resolver.resolve4(name) : resolver.resolve6(name));
    if (addresses.some((address) => String(parseAddress(address)) === wanted)) return 'verified';
    resolved ||= addresses.length > 0;
  }
  return family.forward_records === false && !resolved ? 'unverifiable' : 'spoofed';
}

/**
 * Matches `*.example.com` (any name below it, but not example.com) and `prefix-*.example.com` (one label).
 * Both sides are lower case, without a trailing dot.
 */
export function matchesHost(pattern: string, name: string): boolean {
  const star = pattern.indexOf('*');
  const prefix = pattern.slice(0, star);
  const suffix = pattern.slice(star + 1);
  if (name.length <= prefix.length + suffix.length) return false;
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return false;
  return prefix === '' || !name.slice(prefix.length, name.length - suffix.length).includes('.');
}

/** A missing name or record is an answer; a failed lookup is not. */
async function answerOrNone(lookup: Promise<string[]>): Promise<string[]> {
  try {
    return await lookup;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw error;
  }
}

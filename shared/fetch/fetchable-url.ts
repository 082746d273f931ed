import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

const PORTS = new Set(['', '80', '443']);

/** Names that stand for nobody on the public internet (RFC 6761, RFC 6762, RFC 8375; `internal` by ICANN in 2024). */
const LOCAL_ENDS = ['localhost', 'local', 'internal', 'home.arpa', 'invalid', 'test', 'onion'];

/** Whether a host can only be one of a private network, whoever looks it up. @param host as `URL.hostname` has it */
export function isLocalHost(host: string): boolean {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(bare) !== 0) return !isPublicAddress(bare);
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return !name.includes('.') || LOCAL_ENDS.some((end) => name.endsWith(`.${end}`));
}

/**
 * Whether the fetcher asks it: http or https, a usual port, no credentials. That its host has a public address is known only when it is
 * fetched.
 * @param ports others that are open; for tests alone
 */
export function isFetchable(url: URL, ports: readonly number[] = []): boolean {
  const isOpen = PORTS.has(url.port) || ports.includes(Number(url.port));
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && isOpen && url.username === '' && url.password === '';
}

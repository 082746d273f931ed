import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

const PORTS = new Set(['', '80', '443']);

/** Names that never resolve on the public internet (RFC 6761, RFC 6762, RFC 8375; `internal` by ICANN in 2024). */
const LOCAL_ENDS = ['localhost', 'local', 'internal', 'home.arpa', 'invalid', 'test', 'onion'];

/** Whether a host can only belong to a private network. @param host as in `URL.hostname` */
export function isLocalHost(host: string): boolean {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(bare) !== 0) return !isPublicAddress(bare);
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return !name.includes('.') || LOCAL_ENDS.some((end) => name.endsWith(`.${end}`));
}

/**
 * Whether the fetcher accepts the URL: http or https, a usual port, no credentials. The fetch itself checks that the
 * host has a public address.
 * @param ports additional ports, for tests only
 */
export function isFetchable(url: URL, ports: readonly number[] = []): boolean {
  const isOpen = PORTS.has(url.port) || ports.includes(Number(url.port));
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && isOpen && url.username === '' && url.password === '';
}

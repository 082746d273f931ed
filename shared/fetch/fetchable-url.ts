const PORTS = new Set(['', '80', '443']);

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

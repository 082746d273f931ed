/** Documents write `https://HOST/v1/logs`, with the port where a sender wants one, and `HOST` alone. */
export function withAddress(text: string, { protocol, hostname, port, origin, pathname }: URL): string {
  const uploads = pathname.replace(/\/$/, '');
  return text
    .replaceAll('https://HOST:443', `${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`)
    .replaceAll('https://HOST/v1/logs', `${origin}${uploads}`)
    .replaceAll('https://HOST', origin)
    .replaceAll('http://HOST:8081/v1/logs', `${origin}${uploads}`)
    .replace(/\bHOST\b/g, hostname);
}

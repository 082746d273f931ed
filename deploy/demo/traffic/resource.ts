/** Share of requests that the CDN answers from its cache, by kind of URL. */
const cachedByKind = {
  home: 0.82,
  listing: 0.5,
  product: 0.46,
  post: 0.7,
  information: 0.8,
  search: 0,
  private: 0,
  api: 0,
  image: 0.93,
  asset: 0.97,
  document: 0.6,
  probe: 0,
};
export type ResourceKind = keyof typeof cachedByKind;

export interface Resource {
  kind: ResourceKind;
  /** Path with query string. */
  target: string;
  contentType: string;
  bytes: number;
  /** Typical response time of the servers, milliseconds. */
  latencyMs: number;
  /** Share of its requests that the CDN answers from its cache. */
  cached: number;
  /** Normal status code. */
  status: number;
  /** Target of a redirect; null: not a redirect. */
  location: Resource | null;
  /** Share of the servers' answers in which its template fails with 500. */
  failing: number;
}

const typeByExtension: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['woff2', 'font/woff2'],
  ['svg', 'image/svg+xml'],
  ['ico', 'image/x-icon'],
  ['webp', 'image/webp'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['xml', 'application/xml'],
  ['txt', 'text/plain'],
]);

export function resource(
  kind: ResourceKind,
  target: string,
  bytes: number,
  latencyMs: number,
  { status = 200, ...outcome }: Partial<Pick<Resource, 'status' | 'location' | 'failing'>> = {},
): Resource {
  const extension = /\.([a-z0-9]+)(\?|$)/.exec(target)?.[1] ?? '';
  const contentType = kind === 'api' ? 'application/json' : (typeByExtension.get(extension) ?? 'text/html');
  const cached = status === 200 || status === 301 ? cachedByKind[kind] : 0;
  return {
    kind,
    target,
    contentType,
    bytes,
    latencyMs,
    cached,
    status,
    location: null,
    failing: 0,
    ...outcome,
  };
}

import { SECOND_MS } from '../../../../shared/durations.js';
import { FetchError } from '../../../../shared/fetch/fetch-error.js';
import type { Fetched, Fetcher } from '../../../../shared/fetch/fetcher.js';
import { isUrl } from '../../../../shared/urls/is-url.js';
import type { LoadResource, PageResource } from './render/page-renderer.js';
import type { Visitor } from './visitor.js';

/** Loads scripts and data for rendered pages through the guarded fetcher. */

const MOST_BYTES = 2 * 1024 ** 2;
const MOST_KEPT_BYTES = 32 * 1024 ** 2;
const TIMEOUT_MS = 8 * SECOND_MS;
const MOST_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that decide who may read the response, and how. */
const PASSED_ON = [
  'content-type',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
];

export interface ResourceParts {
  /** For the crawled website: at its pace, and only URLs that its robots.txt allows. */
  readonly visitor: Pick<Visitor, 'fetch' | 'mayFetch'>;
  /** For other websites. */
  readonly fetch: Fetcher;
  readonly isOwn: (url: string) => boolean;
}

/** Caches fetched scripts: most pages of a site have the same. */
export function createLoadResource({ visitor, fetch, isOwn }: ResourceParts): LoadResource {
  const kept = new Map<string, PageResource>();
  let keptBytes = 0;

  /** Each hop is fetched by its own rules: a hop to the website at its pace, and only if its robots.txt allows it. */
  async function askHops(first: string, signal: AbortSignal): Promise<Fetched | null> {
    let url = first;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      if (isOwn(url) && !(await visitor.mayFetch(url))) return null;
      const by = isOwn(url) ? visitor.fetch : fetch;
      const answer = await by(url, {
        ...{ maxBytes: MOST_BYTES, maxInflatedBytes: MOST_BYTES },
        ...{ maxRedirects: 0, follow: false, timeoutMs: TIMEOUT_MS, signal },
      });
      const next = answer.headers.get('location');
      if (!REDIRECTS.has(answer.status) || next === null) return answer;
      answer.discard();
      if (!isUrl(next, url)) return null;
      url = new URL(next, url).href;
    }
    return null;
  }

  async function ask(url: string, signal: AbortSignal): Promise<PageResource | null> {
    const answer = await askHops(url, signal);
    if (answer === null) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    const headers = PASSED_ON.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { status: answer.status, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) };
  }

  async function load(url: string, signal: AbortSignal): Promise<PageResource | null> {
    const got = await ask(url, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof FetchError) return null;
      throw error;
    });
    if (got !== null && isScript(got) && keptBytes + got.body.length <= MOST_KEPT_BYTES) {
      kept.set(url, got);
      keptBytes += got.body.length;
    }
    return got;
  }

  return async (url, signal) => kept.get(url) ?? load(url, signal);
}

function isScript({ status, headers }: PageResource): boolean {
  return status === 200 && (headers['content-type'] ?? '').slice(0, 100).toLowerCase().includes('javascript');
}

import { SECOND_MS } from '../../../shared/durations.js';
import { FetchError } from '../../../shared/fetch/fetch-error.js';
import type { Fetcher } from '../../../shared/fetch/fetcher.js';
import { sitemapLines } from '../../../shared/sitemaps/robots-lines.js';

/** What crawlers read of a robots.txt (RFC 9309 §2.5). */
const MAX_BYTES = 512_000;

interface RobotsDeps {
  readonly fetch: Fetcher;
  readonly signal: AbortSignal;
}

/**
 * The sitemaps that the website's robots.txt names; none where there is no robots.txt. null: it does not answer, so what it names is not known.
 * @throws what the signal was aborted with.
 */
export async function readSitemapUrls(domain: string, deps: RobotsDeps): Promise<readonly string[] | null> {
  return (await readFrom(`https://${domain}`, deps)) ?? (await readFrom(`http://${domain}`, deps));
}

async function readFrom(origin: string, { fetch, signal }: RobotsDeps): Promise<readonly string[] | null> {
  try {
    const { status, body } = await fetch(`${origin}/robots.txt`, {
      // A longer one is read as far as crawlers read it.
      maxBytes: 2 * MAX_BYTES,
      maxInflatedBytes: 2 * MAX_BYTES,
      maxRedirects: 5,
      timeoutMs: 30 * SECOND_MS,
      signal,
    });
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      if (status === 200) text += decoder.decode(chunk, { stream: true });
      if (status !== 200 || text.length > MAX_BYTES) break;
    }
    if (status === 200) return sitemapLines(text);
    return status >= 400 && status < 500 && status !== 429 ? [] : null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchError) return null;
    throw error;
  }
}

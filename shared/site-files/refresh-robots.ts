import { createHash } from 'node:crypto';
import { SECOND_MS } from '../durations.js';
import { FetchError, httpsUnanswered } from '../fetch/fetch-error.js';
import type { Fetched, Fetcher } from '../fetch/fetcher.js';
import type { RobotsVersion, StoredRobotsFetch } from '../reads/robots/robots-sql.js';
import { insertRobotsFetch } from '../reads/robots/robots-sql.js';
import { MAX_ROBOTS_BYTES } from '../robots/parse-robots.js';
import type { FetchOutcome } from '../robots/versions-in-force.js';
import type { ClickHouseWriter } from '../store/client.js';

export interface RefreshDeps {
  readonly fetch: Fetcher;
  readonly clickhouse: ClickHouseWriter;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The minimum of RFC 9309 §2.3.1.2. */
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30 * SECOND_MS;

/**
 * Fetches a website's robots.txt and stores the outcome. A website without a response is an outcome and not an error.
 * @throws the abort reason of the signal; as `ClickHouseWriter.insert`.
 */
export async function refreshRobots(
  deps: RefreshDeps,
  website: { readonly id: string; readonly domain: string },
): Promise<StoredRobotsFetch> {
  const { fetched, version } = await fetchRobots(deps, website.domain);
  deps.signal.throwIfAborted();
  const stored = { ...fetched, fetchedAt: deps.now() };
  await insertRobotsFetch(deps.clickhouse, website.id, stored, version);
  return stored;
}

interface Found {
  readonly fetched: Omit<StoredRobotsFetch, 'fetchedAt'>;
  readonly version: RobotsVersion | null;
}

async function fetchRobots(deps: RefreshDeps, domain: string): Promise<Found> {
  const overHttps = await fetchFrom(deps, `https://${domain}/robots.txt`);
  if (overHttps.code === null || !httpsUnanswered.has(overHttps.code)) return overHttps;
  const overHttp = await fetchFrom(deps, `http://${domain}/robots.txt`);
  return overHttp.code === null ? overHttp : overHttps;
}

/** `code` is that of the FetchError. */
async function fetchFrom(
  { fetch, signal }: RefreshDeps,
  url: string,
): Promise<Found & { code: string | null }> {
  try {
    const fetched = await fetch(url, {
      // Reading stops at the file's limit; these limits are for faulty responses.
      maxBytes: 2 * MAX_ROBOTS_BYTES,
      maxInflatedBytes: 2 * MAX_ROBOTS_BYTES,
      maxRedirects: MAX_REDIRECTS,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    return { ...(await readAnswer(fetched)), code: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FetchError)) throw error;
    // RFC 9309 §2.3.1.2: too many redirects count as a missing file.
    const outcome = error.code === 'too_many_redirects' ? 'missing' : 'unreachable';
    const fetched = { outcome, hash: '', httpStatus: 0, finalUrl: url, problem: error.message } as const;
    return { fetched, version: null, code: error.code };
  }
}

async function readAnswer(fetched: Fetched): Promise<Found> {
  const { status, finalUrl } = fetched;
  const outcome = outcomeOf(status);
  const version = outcome === 'found' ? versionOf(await readBytes(fetched, MAX_ROBOTS_BYTES + 1)) : null;
  // The body of an error response is irrelevant, even if it cannot be decompressed.
  if (outcome !== 'found') fetched.discard();
  const isAnswer = outcome === 'found' || outcome === 'missing';
  const problem = isAnswer ? '' : `The website answered with status ${status}.`;
  return { fetched: { outcome, hash: version?.hash ?? '', httpStatus: status, finalUrl, problem }, version };
}

/** RFC 9309 §2.3.1. A website that rejects this service may serve the file to crawlers, so its response does not decide. */
function outcomeOf(status: number): FetchOutcome {
  if (status >= 200 && status < 300) return 'found';
  if (status === 401 || status === 403 || status === 429) return 'blocked';
  // Includes a redirect without a target.
  return status >= 300 && status < 500 ? 'missing' : 'server_error';
}

async function readBytes({ body }: Fetched, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

function versionOf(bytes: Buffer): RobotsVersion {
  const isTruncated = bytes.length > MAX_ROBOTS_BYTES;
  const read = isTruncated ? wholeLines(bytes.subarray(0, MAX_ROBOTS_BYTES)) : bytes;
  // The engine's texts are bytes, so a NUL needs no treatment.
  const content = new TextDecoder('utf-8', { ignoreBOM: true }).decode(read);
  return { hash: createHash('sha256').update(read).digest('hex'), content, isTruncated };
}

/** Drops the line that was cut: a part of a rule disallows more than the whole rule. */
function wholeLines(bytes: Buffer): Buffer {
  const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r'));
  return end === -1 ? bytes : bytes.subarray(0, end + 1);
}

import type { GivenRobots, GivenSitemaps } from '../../shared/control/admin/site-files.js';
import { DAY_MS } from '../../shared/durations.js';
import { SAVED_COPY_MS } from '../../shared/robots/versions-in-force.js';
import { type DemoOptions, demoWindow } from './traffic/demo-traffic.js';
import { robotsTxt, sitemapFiles } from './traffic/site-files.js';

/**
 * Puts in the shop's robots.txt and sitemaps: nothing can be fetched from a shop that does not exist. They are stored as of the day before its
 * traffic, so that they stood when it came, and as of now. A later fetch that fails leaves them standing for a month.
 * @param post of the operator's commands. @throws what `post` throws.
 */
export async function putSiteFiles(
  post: (path: string, body: unknown) => Promise<unknown>,
  demo: DemoOptions,
  websiteId: string,
): Promise<void> {
  const { start, end } = demoWindow(demo);
  const text = robotsTxt(demo.domain);
  for (const at of standing(start - DAY_MS, end)) {
    const body: GivenRobots = { websiteId, fetchedAt: toIso(at), content: toBase64(text) };
    await post('/robots', body);
  }
  const files = sitemapFiles(demo).map((file) => ({ name: file.name, content: toBase64(file.text) }));
  for (const at of [start - DAY_MS, end]) {
    const body: GivenSitemaps = { websiteId, fetchedAt: toIso(at), files };
    await post('/sitemaps', body);
  }
}

/** Instants so near to each other that a version stands from the first to the last. */
function standing(first: number, last: number): number[] {
  const instants: number[] = [];
  for (let at = first; at < last; at += SAVED_COPY_MS / 2) instants.push(at);
  return [...instants, last];
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

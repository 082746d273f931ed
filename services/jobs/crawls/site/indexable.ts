import type { UnindexableReason } from '../../../../shared/reads/crawls/findings/crawl-page.js';

/** The reasons that exclude a page from an index. Pure. */

export interface IndexingFacts {
  readonly status: number;
  readonly error: string;
  readonly isHtml: boolean;
  readonly isRedirect: boolean;
  readonly robotsAllowed: boolean;
  /** In lower case. */
  readonly metaRobots: string;
  /** The X-Robots-Tag headers, one per line. */
  readonly xRobotsTag: string;
  /** The page's canonical is another page. */
  readonly canonicalElsewhere: boolean;
}

/** The first reason that applies; '': the page may be indexed. */
export function unindexableReason(facts: IndexingFacts): UnindexableReason | '' {
  if (!facts.robotsAllowed) return 'robots';
  if (facts.isRedirect) return 'redirect';
  if (facts.status !== 200 || facts.error !== '') return 'status';
  if (!facts.isHtml) return 'content_type';
  if (isNoindex(facts.metaRobots, facts.xRobotsTag)) return 'noindex';
  return facts.canonicalElsewhere ? 'canonical' : '';
}

/** Whether the page excludes itself from every search engine. @param metaRobots in lower case. @param xRobotsTag one header per line */
export function isNoindex(metaRobots: string, xRobotsTag: string): boolean {
  const said = robotsWords(metaRobots, xRobotsTag);
  return said.has('noindex') || said.has('none');
}

/** Whether the page declares all its links nofollow. */
export function isNofollow(metaRobots: string, xRobotsTag: string): boolean {
  const said = robotsWords(metaRobots, xRobotsTag);
  return said.has('nofollow') || said.has('none');
}

/**
 * The rules for every crawler. In X-Robots-Tag, a name before a colon limits the rules after it to one crawler (`googlebot: noindex, nofollow`). Rules with
 * a value (`max-snippet: 20`) are no such names.
 */
function robotsWords(metaRobots: string, xRobotsTag: string): ReadonlySet<string> {
  const words = new Set(metaRobots.split(',').map((word) => word.trim()));
  for (const line of xRobotsTag.toLowerCase().split('\n')) {
    let toEverybody = true;
    for (const part of line.split(',')) {
      const colon = part.indexOf(':');
      const name = colon < 0 ? '' : part.slice(0, colon).trim();
      if (WITH_VALUE.has(name)) continue;
      if (name !== '') toEverybody = false;
      if (toEverybody) words.add(part.trim());
    }
  }
  return words;
}

const WITH_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

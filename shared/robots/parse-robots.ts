/**
 * Parses robots.txt like RFC 9309 and Google's parser. Pure; each character is examined a bounded number of times. Unknown lines are
 * ignored: they neither begin nor end a group.
 */

export interface RobotsRule {
  readonly type: 'allow' | 'disallow';
  /** As written, without the comment and surrounding white space. */
  readonly path: string;
}

/** Adjacent user-agent lines and the rules after them. */
export interface RobotsGroup {
  /** Names as written, without a suffix (`Googlebot/2.1` is Googlebot); `*` for all crawlers. */
  readonly userAgents: readonly string[];
  readonly rules: readonly RobotsRule[];
  /** Seconds between two requests: the greatest value in the group. No standard defines it; Google ignores it. */
  readonly crawlDelay?: number;
}

export interface RobotsFile {
  readonly groups: readonly RobotsGroup[];
  /** Values of sitemap lines, at any position, in order. */
  readonly sitemaps: readonly string[];
}

/** Maximum bytes that are read (a minimum limit in RFC 9309 §2.5, and Google's limit). */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** Longest line, as in Google's parser: eight times the longest URL of a browser. The rest of a line is cut off. */
const MAX_LINE = 16_664;

/** The numeric start of a delay, in seconds. */
const DELAY = /^\d{1,9}(?:\.\d{1,9})?/;

type Key = 'user-agent' | 'sitemap' | 'crawl-delay' | RobotsRule['type'];

/** Prefixes of a line's key, with the misspellings that Google accepts. */
const KEYS: readonly (readonly [string, Key])[] = [
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['crawl-delay', 'crawl-delay'],
  ['crawldelay', 'crawl-delay'],
];

/** Parses any text, and ignores unknown lines and a byte order mark. */
export function parseRobots(text: string): RobotsFile {
  const groups: { userAgents: string[]; rules: RobotsRule[]; crawlDelay?: number }[] = [];
  const sitemaps: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const entry = parseLine(line);
    if (entry === null) continue;
    const { key, value } = entry;
    const last = groups.at(-1);
    if (key === 'sitemap') {
      if (value !== '') sitemaps.push(value);
    } else if (key === 'user-agent') {
      if (last === undefined || last.rules.length > 0) groups.push({ userAgents: [], rules: [] });
      const token = productToken(value);
      if (token !== null) groups.at(-1)!.userAgents.push(token);
    } else if (key === 'crawl-delay') {
      const seconds = Number(DELAY.exec(value)?.[0] ?? 0);
      // The line neither begins nor ends a group, as for parsers that ignore it.
      if (last !== undefined && seconds > (last.crawlDelay ?? 0)) last.crawlDelay = seconds;
    } else {
      // A rule before the first user-agent line applies to no crawler.
      last?.rules.push({ type: key, path: value });
    }
  }
  return { groups, sitemaps };
}

function parseLine(line: string): { key: Key; value: string } | null {
  const cut = line.slice(0, MAX_LINE);
  const comment = cut.indexOf('#');
  // trim() also removes the byte order mark before the first line.
  const entry = (comment === -1 ? cut : cut.slice(0, comment)).trim();
  const colon = entry.indexOf(':');
  const end = colon === -1 ? missingColon(entry) : colon;
  if (end === -1) return null;
  const name = entry.slice(0, end).trim().toLowerCase();
  const key = KEYS.find(([beginning]) => name.startsWith(beginning))?.[1];
  return key === undefined ? null : { key, value: entry.slice(end + 1).trim() };
}

/** The position of white space in the place of a missing colon, or -1. Google accepts a line without its colon only in this form. */
function missingColon(entry: string): number {
  const gap = entry.search(/[ \t]/);
  return gap === -1 || /[ \t]/.test(entry.slice(gap).trim()) ? -1 : gap;
}

/**
 * `*`, or the name at the start of the value; null if there is none. A product token has only letters, `-` and `_` (RFC 9309 §2.2.1). But
 * other crawlers (MJ12bot, archive.org_bot) are addressed by their whole names: match-rules.ts compares them.
 */
function productToken(value: string): string | null {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return /^[A-Za-z0-9._-]+/.exec(value)?.[0] ?? null;
}

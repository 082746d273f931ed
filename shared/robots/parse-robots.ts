/**
 * robots.txt as RFC 9309 and Google's parser read it. Pure; each character is looked at a bounded number of times. Lines that say nothing known are
 * passed over: they neither begin nor end a group.
 */

export interface RobotsRule {
  readonly type: 'allow' | 'disallow';
  /** As written, without comment and white space at its ends. */
  readonly path: string;
}

/** Neighbouring user-agent lines and the rules after them. */
export interface RobotsGroup {
  /** Names as written, without what follows them (`Googlebot/2.1` is Googlebot); `*` for everybody. */
  readonly userAgents: readonly string[];
  readonly rules: readonly RobotsRule[];
  /** Seconds between two requests: the longest that the group asks for. No standard knows it; Google passes it over. */
  readonly crawlDelay?: number;
}

export interface RobotsFile {
  readonly groups: readonly RobotsGroup[];
  /** Values of sitemap lines, which stand anywhere, in order. */
  readonly sitemaps: readonly string[];
}

/** Most bytes that are read (RFC 9309 §2.5 asks for at least as many; Google reads as many). */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** Longest line, as Google has it: eight times the longest URL of a browser. The rest of one is cut off. */
const MAX_LINE = 16_664;

/** Of seconds, as far as it is a number. */
const DELAY = /^\d{1,9}(?:\.\d{1,9})?/;

type Key = 'user-agent' | 'sitemap' | 'crawl-delay' | RobotsRule['type'];

/** Beginnings of a line's key, with the misspellings that Google takes. */
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

/** Any text is a file: what says nothing known is left out. A byte order mark at its beginning does no harm. */
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
      // It neither begins nor ends a group, as it does for who passes it over.
      if (last !== undefined && seconds > (last.crawlDelay ?? 0)) last.crawlDelay = seconds;
    } else {
      // A rule before the first user-agent line is nobody's.
      last?.rules.push({ type: key, path: value });
    }
  }
  return { groups, sitemaps };
}

function parseLine(line: string): { key: Key; value: string } | null {
  const cut = line.slice(0, MAX_LINE);
  const comment = cut.indexOf('#');
  // Of the byte order mark before the first line, trim() takes care.
  const entry = (comment === -1 ? cut : cut.slice(0, comment)).trim();
  const colon = entry.indexOf(':');
  const end = colon === -1 ? missingColon(entry) : colon;
  if (end === -1) return null;
  const name = entry.slice(0, end).trim().toLowerCase();
  const key = KEYS.find(([beginning]) => name.startsWith(beginning))?.[1];
  return key === undefined ? null : { key, value: entry.slice(end + 1).trim() };
}

/** Some forget the colon. Google takes the line where white space stands in its place, and nowhere else; -1 where it does not. */
function missingColon(entry: string): number {
  const gap = entry.search(/[ \t]/);
  return gap === -1 || /[ \t]/.test(entry.slice(gap).trim()) ? -1 : gap;
}

/**
 * `*`, or the name that the value begins with; null where it begins with none. A product token has letters, `-` and `_` alone (RFC 9309 §2.2.1), yet
 * crawlers with other names (MJ12bot, archive.org_bot) are addressed by them: match-rules.ts compares.
 */
function productToken(value: string): string | null {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return /^[A-Za-z0-9._-]+/.exec(value)?.[0] ?? null;
}

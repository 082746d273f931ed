import type { Page } from '../facts/facts.js';

const NAMES = ['robots', 'googlebot', 'bingbot'];

/** The page's rules against indexing, in its HTML or the header. Empty: none. */
export function noindexOf({ html, retrieval }: Page): string[] {
  const metas = NAMES.flatMap((name) =>
    (html.metas.get(name) ?? [])
      .filter(forbidsSearch)
      .map((content) => `<meta name="${name}" content="${content.slice(0, 200)}">`),
  );
  const lines = retrieval.robotsTags.slice(0, MOST_LINES).filter(forbidsSearch);
  return [...metas, ...lines.map((line) => `X-Robots-Tag: ${line.slice(0, 200)}`)];
}

const MOST_LINES = 50;
const LONGEST_LINE = 2_000;

/** Rules with a value, which may be `none` or a date with colons and commas (developers.google.com, "Robots meta tag"). */
const VALUED: ReadonlySet<string> = new Set([
  ...['max-image-preview', 'max-snippet', 'max-video-preview', 'unavailable_after'],
]);
const FORBIDDING: ReadonlySet<string> = new Set(['noindex', 'none']);

/**
 * A name in a line limits the rules after it to one crawler (`otherbot: noindex, nofollow`), up to the next name. Rules for other crawlers alone do not
 * concern search engines. Each line begins without a name.
 */
function forbidsSearch(line: string): boolean {
  let isForSearch = true;
  for (const part of line.toLowerCase().slice(0, LONGEST_LINE).split(',')) {
    const [before, after] = cutAtColon(part);
    if (after === null || VALUED.has(before)) {
      if (isForSearch && forbids(part)) return true;
    } else if (/^[a-z*][a-z0-9_*-]*$/.test(before)) {
      isForSearch = before === '*' || NAMES.includes(before);
      if (isForSearch && forbids(after)) return true;
    } else if (isForSearch && forbids(part)) return true;
  }
  return false;
}

/** Checks the rules between two commas. The text after the name of a rule with a value is its value. */
function forbids(part: string): boolean {
  const [before, after] = cutAtColon(part);
  const words = before.split(/[\s;]+/);
  return words.some((word) => FORBIDDING.has(word)) && (after === null || words.length > 1);
}

function cutAtColon(part: string): [before: string, after: string | null] {
  const colon = part.indexOf(':');
  return colon < 0 ? [part.trim(), null] : [part.slice(0, colon).trim(), part.slice(colon + 1)];
}

import type { AiIntent, BotCategory } from '../requests/enriched-request.js';
import type { RobotsPolicy } from './match-rules.js';

/**
 * The crawlers that obey robots.txt, and the product tokens by which they find their group. From the operators' own pages, November 2026.
 */

export interface Crawler {
  readonly name: string;
  readonly family: string;
  readonly category: BotCategory | '';
  readonly aiIntent: AiIntent | '';
}

/** Categories that crawl by themselves. Monitoring, link previews, feeds and scanners fetch on request. */
const CRAWLING: ReadonlySet<string> = new Set(['search', 'ai', 'seo', 'archive', 'advertising']);

/** Crawlers that fetch for a user, or for the website's owner who requested it in the operator's tools. */
const ON_REQUEST: ReadonlySet<string> = new Set([
  'Google Favicon',
  'BingPreview',
  'MicrosoftPreview',
  'YandexUserproxy',
  'YandexPagechecker',
  'YandexScreenshotBot',
]);
const FAMILIES_ON_REQUEST: ReadonlySet<string> = new Set(['Google Fetchers']);

/** Crawlers that obey a group of their own and ignore the group of `*`. */
const IGNORES_WILDCARD_GROUP: ReadonlySet<string> = new Set([
  'AdsBot-Google',
  'AdsBot-Google-Mobile',
  'AdsBot-Google-Mobile-Apps',
  'Mediapartners-Google',
  'APIs-Google',
  'YandexCalendar',
  'YandexFavicons',
  'YandexOntoDB',
  'YandexPartner',
  'YandexRCA',
  'YandexSearchShop',
  'YandexSitelinks',
  'YandexSpravBot',
  'YandexTracker',
  'YandexTurbo',
  'YandexVerticals',
  'YandexVertis',
  'YandexWebmaster',
]);

/** Tokens that are looked up after the crawler's own name. */
const NEXT_TOKENS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Googlebot-Image', ['Googlebot']],
  ['Googlebot-News', ['Googlebot']],
  ['Googlebot-Video', ['Googlebot']],
  ['Googlebot-Mobile', ['Googlebot']],
  ['Google-InspectionTool', ['Googlebot']],
  ['GoogleOther-Image', ['GoogleOther']],
  ['GoogleOther-Video', ['GoogleOther']],
  ['msnbot', ['bingbot']],
  ['adidxbot', ['bingbot']],
  ['BingLocalSearch', ['bingbot']],
  ['Applebot', ['Googlebot']],
  ['Yahoo! Slurp', ['Slurp']],
  ['Baiduspider-image', ['Baiduspider']],
  ['Baiduspider-video', ['Baiduspider']],
  ['Baiduspider-news', ['Baiduspider']],
  ['Baiduspider-ads', ['Baiduspider']],
  ['Baiduspider-cpro', ['Baiduspider']],
  ['Baiduspider-favo', ['Baiduspider']],
]);

/** The robots.txt policy of a crawler; null: robots.txt does not apply to it. */
export function robotsPolicyOf({ name, family, category, aiIntent }: Crawler): RobotsPolicy | null {
  if (!CRAWLING.has(category) || aiIntent === 'fetcher') return null;
  if (ON_REQUEST.has(name) || FAMILIES_ON_REQUEST.has(family)) return null;
  const next = NEXT_TOKENS.get(name) ?? (family === 'Yandex' ? ['Yandex'] : []);
  return {
    tokens: [tokenOf(name), ...next],
    followsWildcardGroup: !IGNORES_WILDCARD_GROUP.has(name),
  };
}

/** The first word, as a line of robots.txt is parsed: `Sogou Spider` is addressed as Sogou. */
function tokenOf(name: string): string {
  return /^[A-Za-z0-9._-]+/.exec(name)?.[0] ?? name;
}

/** Names with their own rule here. */
export const namedCrawlers: readonly string[] = [
  ...ON_REQUEST,
  ...IGNORES_WILDCARD_GROUP,
  ...NEXT_TOKENS.keys(),
];

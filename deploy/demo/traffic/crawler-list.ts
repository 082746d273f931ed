import type { DemoActor } from './demo-request.js';
import type { Resource } from './resource.js';
import type { Site } from './site.js';

/** Shares of a crawler's requests by kind of resource. */
export type Appetite = Partial<Record<Dish, number>>;
/** Kinds of resources of the site, and images of products. */
export type Dish =
  | { [Name in keyof Site]: Site[Name] extends Resource | Resource[] ? Name : never }[keyof Site]
  | ('products' | 'images');

export interface DemoCrawler extends Habits {
  /** The token in its user agent. */
  bot: string;
  actor: DemoActor;
  userAgent: string;
  /** Networks of its operator: published ranges, if there are any. Empty: it uses rented servers. */
  networks: string[];
  country: string;
  /** Share of all requests of the site. */
  share: number;
  appetite: Appetite;
  /** Mean number of consecutive requests of one address. */
  burst: number;
  /** Mean seconds between two of these requests. */
  pause: number;
}

interface Habits {
  /** Follows the daily wave of people, as fetchers for users do, instead of a steady rate. */
  followsPeople?: boolean;
  /** Fetches popular pages instead of the whole catalogue. */
  followsPopularity?: boolean;
  /** Share of its requests that the firewall refuses, and the status; 402 asks it to pay. */
  refused?: { part: number; status: 402 | 403 | 429 };
  method?: 'HEAD';
  /** Share of its requests answered with 304. */
  unchanged?: number;
}

// biome-ignore format: a table reads best as a table
const search: Appetite = { home: 3, products: 46, listings: 12, deepListings: 14, posts: 8, information: 2, hires: 2, hireCalendar: 4, images: 6, assets: 4, retired: 5, legacy: 2, robots: 0.6, sitemaps: 0.4 };
// biome-ignore format: a table reads best as a table
const training: Appetite = { home: 1.5, products: 56, listings: 8, deepListings: 12, posts: 16, information: 3, hires: 1, hireCalendar: 2, retired: 3, legacy: 1, robots: 0.7, sitemaps: 0.3 };
// biome-ignore format: a table reads best as a table
const answering: Appetite = { home: 5, products: 48, listings: 14, posts: 30, information: 6, retired: 1.5, robots: 0.4, llms: 0.1 };
const fetching: Appetite = { home: 8, products: 58, listings: 14, posts: 20, information: 7, retired: 1 };
// biome-ignore format: a table reads best as a table
const links: Appetite = { home: 3, products: 40, listings: 16, deepListings: 28, posts: 9, retired: 4, legacy: 2, robots: 1 };
const previewing: Appetite = { home: 10, products: 70, posts: 20, images: 10 };
const prices: Appetite = { home: 2, products: 85, listings: 12, robots: 1 };
const watching: Appetite = { home: 1, health: 1 };

const forPeople: Habits = { followsPeople: true, followsPopularity: true };
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko';
const openAi = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible;';

type Row = [
  bot: string,
  actor: DemoActor,
  country: string,
  share: number,
  burst: number,
  pause: number,
  appetite: Appetite,
  networks: string,
  userAgent: string,
  habits?: Habits,
];

/**
 * Crawlers with the user agents and addresses that their operators published in 2026 (googlebot.json, gptbot.json,
 * claude.com/crawling/bots.json …). For operators without a list, known networks of their crawlers.
 */
// biome-ignore format: a table reads best as a table
const rows: Row[] = [
  ['Googlebot', 'search_bot', 'US', 0.062, 4, 6, search, '66.249.64.0/25 66.249.65.0/25 66.249.66.0/24', `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${chrome}) Chrome/155.0.8012.64 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`],
  ['Googlebot', 'search_bot', 'US', 0.017, 3, 8, search, '66.249.64.0/25 66.249.66.0/24', `Mozilla/5.0 ${chrome}; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/155.0.8012.64 Safari/537.36`],
  ['Googlebot-Image', 'search_bot', 'US', 0.011, 5, 5, { images: 98, robots: 1 }, '66.249.66.0/24', 'Googlebot-Image/1.0'],
  ['Storebot-Google', 'search_bot', 'US', 0.002, 6, 4, { products: 90, robots: 1 }, '66.249.65.0/25', `Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) ${chrome}) Chrome/155.0.8012.64 Safari/537.36`, { followsPopularity: true }],
  ['AdsBot-Google', 'search_bot', 'US', 0.004, 3, 5, { products: 90, listings: 10 }, '66.249.87.0/27 66.249.89.0/27 209.85.238.0/27', 'AdsBot-Google (+http://www.google.com/adsbot.html)', { followsPopularity: true }],
  ['bingbot', 'search_bot', 'US', 0.031, 5, 9, search, '157.55.39.0/24 40.77.167.0/24 207.46.13.0/24 52.167.144.0/24', `Mozilla/5.0 ${chrome}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/136.0.0.0 Safari/537.36`],
  ['YandexBot', 'search_bot', 'RU', 0.008, 6, 10, search, '5.255.231.0/24 87.250.224.0/24 213.180.203.0/24', 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)'],
  ['Applebot', 'search_bot', 'US', 0.009, 4, 7, search, '17.241.75.0/24 17.241.219.0/24 17.241.227.0/24 17.246.15.0/24', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)'],
  ['Baiduspider', 'search_bot', 'CN', 0.004, 8, 5, search, '116.179.37.103/32 220.181.108.0/24', 'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)'],
  ['PetalBot', 'search_bot', 'SG', 0.005, 6, 6, links, '114.119.128.0/19', 'Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)'],
  ['DuckDuckBot', 'search_bot', 'US', 0.0015, 2, 6, { home: 20, listings: 40, information: 20, robots: 30, products: 10 }, '20.191.45.212/32 40.88.21.235/32 40.76.173.151/32', 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)'],
  ['SeznamBot', 'search_bot', 'CZ', 0.002, 5, 8, search, '77.75.76.0/24 77.75.78.0/24', 'Mozilla/5.0 (compatible; SeznamBot/4.0; +https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/)'],
  ['GPTBot', 'ai_training', 'US', 0.026, 40, 3, training, '132.196.86.0/24 172.182.204.0/24 20.171.206.0/24 20.171.207.0/24 52.230.152.0/24 74.7.227.0/25', `${openAi} GPTBot/1.3; +https://openai.com/gptbot`, { refused: { part: 0.02, status: 429 } }],
  ['ClaudeBot', 'ai_training', 'US', 0.02, 30, 2, training, '216.73.216.0/22', `Mozilla/5.0 ${chrome}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)`, { refused: { part: 0.03, status: 429 } }],
  ['meta-externalagent', 'ai_training', 'US', 0.019, 60, 1, training, '57.141.0.0/24 57.141.6.0/24', 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)', { refused: { part: 0.11, status: 429 } }],
  ['Amazonbot', 'ai_training', 'US', 0.009, 8, 8, training, '52.70.240.171/32 23.22.35.162/32 3.224.220.101/32 54.87.62.248/32', `Mozilla/5.0 ${chrome}; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36`, { refused: { part: 1, status: 402 } }],
  ['Bytespider', 'ai_training', 'SG', 0.012, 50, 1, training, '47.128.16.0/20 47.128.96.0/20', `Mozilla/5.0 (Linux; Android 5.0) ${chrome}) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)`, { refused: { part: 1, status: 403 } }],
  ['CCBot', 'ai_training', 'US', 0.004, 90, 4, training, '18.97.9.168/29 18.97.14.80/29', 'CCBot/2.0 (https://commoncrawl.org/faq/)'],
  ['OAI-SearchBot', 'ai_search', 'US', 0.011, 6, 6, answering, '104.210.140.128/28 135.234.64.0/24 20.169.77.0/25 51.8.102.0/24 74.7.228.0/25', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome}) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot`],
  ['PerplexityBot', 'ai_search', 'US', 0.006, 8, 4, answering, '107.20.236.150/32 3.224.62.45/32 18.210.92.235/32 18.97.9.96/29', `Mozilla/5.0 ${chrome}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)`, { refused: { part: 1, status: 403 } }],
  ['Claude-SearchBot', 'ai_search', 'US', 0.003, 5, 5, answering, '216.73.216.0/22', `Mozilla/5.0 ${chrome}; compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)`],
  ['meta-webindexer', 'ai_search', 'US', 0.003, 10, 3, answering, '57.141.14.0/24', 'meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)'],
  ['ChatGPT-User', 'ai_fetcher', 'US', 0.013, 1.5, 1, fetching, '23.98.142.176/28 13.65.138.112/28 40.84.221.208/28 52.148.129.32/28 4.197.64.0/28 104.210.139.192/28 20.228.106.176/28 40.116.73.208/28', `${openAi} ChatGPT-User/1.0; +https://openai.com/bot`, forPeople],
  ['Perplexity-User', 'ai_fetcher', 'US', 0.0025, 1.5, 1, fetching, '44.208.221.197/32 34.193.163.52/32 18.97.21.0/30', `Mozilla/5.0 ${chrome}; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)`, forPeople],
  ['Claude-User', 'ai_fetcher', 'US', 0.0018, 1.5, 1, fetching, '34.162.230.222/32 34.162.244.71/32 34.85.172.162/32', `Mozilla/5.0 ${chrome}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)`, forPeople],
  ['MistralAI-User', 'ai_fetcher', 'SE', 0.0004, 1.5, 1, fetching, '20.240.160.161/32 20.240.160.1/32', `Mozilla/5.0 ${chrome}; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)`, forPeople],
  ['meta-externalfetcher', 'ai_fetcher', 'US', 0.0006, 1.5, 1, fetching, '57.141.8.0/24', 'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)', forPeople],
  ['AhrefsBot', 'seo_tool', 'FR', 0.015, 20, 6, links, '54.36.148.0/24 54.36.149.0/24 51.222.253.0/26', 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)'],
  ['SemrushBot', 'seo_tool', 'US', 0.012, 25, 4, links, '185.191.171.0/24 85.208.96.0/24', 'Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)'],
  ['MJ12bot', 'seo_tool', 'DE', 0.004, 10, 12, links, '5.9.156.0/24 144.76.8.0/24', 'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)'],
  ['DotBot', 'seo_tool', 'US', 0.003, 12, 8, links, '216.244.66.0/24', 'Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)'],
  ['DataForSeoBot', 'seo_tool', 'DE', 0.003, 15, 5, links, '136.243.228.176/28', 'Mozilla/5.0 (compatible; DataForSeoBot/1.0; +https://dataforseo.com/dataforseo-bot)'],
  ['Screaming Frog SEO Spider', 'seo_tool', 'GB', 0.002, 400, 0.3, links, '81.134.20.0/24', 'Screaming Frog SEO Spider/22.1'],
  ['archive.org_bot', 'archive', 'US', 0.0012, 15, 4, training, '207.241.233.0/24 207.241.235.0/24', 'Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)'],
  ['facebookexternalhit', 'social_preview', 'US', 0.003, 1.4, 1, previewing, '69.171.230.0/24 173.252.87.0/24 31.13.115.0/24', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', forPeople],
  ['Pinterestbot', 'social_preview', 'US', 0.0016, 4, 2, { home: 3, products: 60, images: 40 }, '54.236.1.0/24', 'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)', { followsPopularity: true }],
  ['Twitterbot', 'social_preview', 'US', 0.001, 1.3, 1, previewing, '199.16.156.0/22', 'Twitterbot/1.0', forPeople],
  ['WhatsApp', 'social_preview', 'US', 0.001, 1.2, 1, previewing, '31.13.115.0/24', 'WhatsApp/2.25.28.77 A', forPeople],
  ['Slackbot-LinkExpanding', 'social_preview', 'US', 0.0004, 1.3, 1, previewing, '3.80.0.0/16', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', forPeople],
  ['Discordbot', 'social_preview', 'US', 0.0004, 1.3, 1, previewing, '35.237.4.0/24', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', forPeople],
  ['UptimeRobot', 'monitoring', 'US', 0.006, 1, 1, watching, '216.144.248.27/32 216.144.248.28/32 3.12.251.153/32 63.178.84.147/32', 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)', { method: 'HEAD' }],
  ['Pingdom', 'monitoring', 'SE', 0.004, 1, 1, watching, '13.232.220.164/32 23.22.2.46/32 23.83.129.219/32 46.20.45.18/32', 'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)'],
  ['StatusCake', 'monitoring', 'GB', 0.002, 1, 1, watching, '34.65.97.251/32 34.78.123.120/32 13.48.110.214/32', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}) Chrome/120.0.0.0 Safari/537.36 StatusCake`],
  ['Feedly', 'feed_reader', 'US', 0.002, 1, 1, { feed: 1 }, '8.29.198.25/32 8.29.198.26/32', 'Feedly/1.0 (+http://www.feedly.com/fetcher.html; 312 subscribers; like FeedFetcher-Google)', { unchanged: 0.8 }],
  ['Feedbin', 'feed_reader', 'US', 0.001, 1, 1, { feed: 1 }, '64.227.6.139/32', 'Feedbin feed-id:1904225 - 41 subscribers', { unchanged: 0.9 }],
  ['Inoreader', 'feed_reader', 'BG', 0.001, 1, 1, { feed: 1 }, '167.71.63.3/32 139.59.32.81/32', 'Mozilla/5.0 (compatible; inoreader.com; 58 subscribers)', { unchanged: 0.7 }],
  // Declared bots that are in no list of crawlers: a price watcher, and a custom library.
  ['ShelfScout', 'unknown_bot', 'DE', 0.0024, 25, 2, prices, '46.224.0.0/15', 'Mozilla/5.0 (compatible; ShelfScout/0.9; +https://shelfscout.example/bot)'],
  ['quietcrawler', 'unknown_bot', 'DE', 0.0006, 25, 2, prices, '38.242.192.0/18', 'quietcrawler/2.1.4'],
];

const declared = rows.map(
  ([bot, actor, country, share, burst, pause, appetite, networks, userAgent, habits]): DemoCrawler => ({
    ...{ bot, actor, country, share, burst, pause, appetite, userAgent, ...habits },
    networks: networks.split(' '),
  }),
);
const named = (bot: string) => declared.find((crawler) => crawler.bot === bot)!;

/** Scrapers with the user agent of a crawler. The firewall refuses some of them. */
const impostors = Object.entries({
  Googlebot: 55,
  bingbot: 20,
  GPTBot: 12,
  ClaudeBot: 7,
  PerplexityBot: 6,
}).map(
  ([bot, part]): DemoCrawler => ({
    ...named(bot),
    ...{ actor: 'spoofed_bot', networks: [], share: 0.00016 * part, burst: 60, pause: 1.5 },
    appetite: { home: 4, products: 80, listings: 10, deepListings: 10, retired: 2 },
    refused: { part: 0.45, status: 403 },
  }),
);

/** Agents of AI operators with a browser's user agent, from the addresses of the operator's fetchers. */
const undeclaredAgents = Object.entries({ 'ChatGPT-User': 60, 'Perplexity-User': 25, 'Claude-User': 15 }).map(
  ([bot, part]): DemoCrawler => ({
    ...named(bot),
    ...{ bot: '', actor: 'undeclared_agent', share: 0.00006 * part, burst: 5, pause: 4 },
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${chrome}) Chrome/153.0.0.0 Safari/537.36`,
  }),
);

export const crawlers: readonly DemoCrawler[] = [...declared, ...impostors, ...undeclaredAgents];

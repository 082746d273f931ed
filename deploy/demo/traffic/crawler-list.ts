import type { DemoActor } from './demo-request.js';

/** What a crawler asks for, as parts of its requests. */
export interface Appetite {
  home?: number;
  products?: number;
  listings?: number;
  deepListings?: number;
  posts?: number;
  information?: number;
  hires?: number;
  hireCalendar?: number;
  images?: number;
  assets?: number;
  retired?: number;
  legacy?: number;
  robots?: number;
  sitemaps?: number;
  llms?: number;
}

export interface DemoCrawler {
  /** The token in its user agent. */
  bot: string;
  actor: DemoActor;
  userAgent: string;
  /** Its operator's networks: published ranges where there are any. */
  networks: string[];
  country: string;
  /** Part of all requests of the site. */
  share: number;
  appetite: Appetite;
  /** Requests that one address makes in a row, on average. */
  burst: number;
  /** Mean seconds between two of them. */
  pause: number;
  /** Follows people's day (a fetcher on behalf of somebody) instead of its own steady pace. */
  followsPeople?: boolean;
  /** Part of its requests that the firewall turns down, and with what. */
  refused?: { part: number; status: 403 | 429 };
  /** Prefers what people prefer to sweeping the whole catalogue. */
  followsPopularity?: boolean;
}

const search: Appetite = {
  home: 3,
  products: 46,
  listings: 12,
  deepListings: 14,
  posts: 8,
  information: 2,
  hires: 2,
  hireCalendar: 4,
  images: 6,
  assets: 4,
  retired: 5,
  legacy: 2,
  robots: 0.6,
  sitemaps: 0.4,
};
const training: Appetite = {
  home: 1.5,
  products: 56,
  listings: 8,
  deepListings: 12,
  posts: 16,
  information: 3,
  hires: 1,
  hireCalendar: 2,
  retired: 3,
  legacy: 1,
  robots: 0.7,
  sitemaps: 0.3,
};
const answering: Appetite = {
  home: 5,
  products: 48,
  listings: 14,
  posts: 30,
  information: 6,
  retired: 1.5,
  robots: 0.4,
  llms: 0.1,
};
const fetching: Appetite = { home: 8, products: 58, listings: 14, posts: 20, information: 7, retired: 1 };
const links: Appetite = {
  home: 3,
  products: 40,
  listings: 16,
  deepListings: 28,
  posts: 9,
  retired: 4,
  legacy: 2,
  robots: 1,
};

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko';
const openAi = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible;';

/**
 * Crawlers with their user agents and addresses as their operators published them in 2026 (googlebot.json,
 * bingbot.json, applebot.json, gptbot.json, searchbot.json, chatgpt-user.json, claude.com/crawling/bots.json,
 * perplexitybot.json, perplexity-user.json …); for operators without a list, networks that their crawlers
 * are known to use.
 */
// biome-ignore format: a table reads best as a table
export const searchCrawlers: DemoCrawler[] = [
  { bot: 'Googlebot', actor: 'search_bot', country: 'US', share: 0.062, burst: 4, pause: 6, appetite: search, networks: ['66.249.64.0/25', '66.249.65.0/25', '66.249.66.0/24'],
    userAgent: `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${chrome}) Chrome/155.0.8012.64 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)` },
  { bot: 'Googlebot', actor: 'search_bot', country: 'US', share: 0.017, burst: 3, pause: 8, appetite: search, networks: ['66.249.64.0/25', '66.249.66.0/24'],
    userAgent: `Mozilla/5.0 ${chrome}; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/155.0.8012.64 Safari/537.36` },
  { bot: 'Googlebot-Image', actor: 'search_bot', country: 'US', share: 0.011, burst: 5, pause: 5, appetite: { images: 98, robots: 1 }, networks: ['66.249.66.0/24'], userAgent: 'Googlebot-Image/1.0' },
  { bot: 'Storebot-Google', actor: 'search_bot', country: 'US', share: 0.002, burst: 6, pause: 4, appetite: { products: 90, robots: 1 }, followsPopularity: true, networks: ['66.249.65.0/25'],
    userAgent: `Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) ${chrome}) Chrome/155.0.8012.64 Safari/537.36` },
  { bot: 'AdsBot-Google', actor: 'search_bot', country: 'US', share: 0.004, burst: 3, pause: 5, appetite: { products: 90, listings: 10 }, followsPopularity: true, networks: ['66.249.87.0/27', '66.249.89.0/27', '209.85.238.0/27'], userAgent: 'AdsBot-Google (+http://www.google.com/adsbot.html)' },
  { bot: 'bingbot', actor: 'search_bot', country: 'US', share: 0.031, burst: 5, pause: 9, appetite: search, networks: ['157.55.39.0/24', '40.77.167.0/24', '207.46.13.0/24', '52.167.144.0/24'],
    userAgent: `Mozilla/5.0 ${chrome}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/136.0.0.0 Safari/537.36` },
  { bot: 'YandexBot', actor: 'search_bot', country: 'RU', share: 0.008, burst: 6, pause: 10, appetite: search, networks: ['5.255.231.0/24', '87.250.224.0/24', '213.180.203.0/24'], userAgent: 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)' },
  { bot: 'Applebot', actor: 'search_bot', country: 'US', share: 0.009, burst: 4, pause: 7, appetite: search, networks: ['17.241.75.0/24', '17.241.219.0/24', '17.241.227.0/24', '17.246.15.0/24'],
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)' },
  { bot: 'Baiduspider', actor: 'search_bot', country: 'CN', share: 0.004, burst: 8, pause: 5, appetite: search, networks: ['116.179.37.103/32', '220.181.108.0/24'], userAgent: 'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)' },
  { bot: 'PetalBot', actor: 'search_bot', country: 'SG', share: 0.005, burst: 6, pause: 6, appetite: links, networks: ['114.119.128.0/19'], userAgent: 'Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)' },
  { bot: 'DuckDuckBot', actor: 'search_bot', country: 'US', share: 0.0015, burst: 2, pause: 6, appetite: { home: 20, listings: 40, information: 20, robots: 30, products: 10 }, networks: ['20.191.45.212/32', '40.88.21.235/32', '40.76.173.151/32'], userAgent: 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)' },
  { bot: 'SeznamBot', actor: 'search_bot', country: 'CZ', share: 0.002, burst: 5, pause: 8, appetite: search, networks: ['77.75.76.0/24', '77.75.78.0/24'], userAgent: 'Mozilla/5.0 (compatible; SeznamBot/4.0; +https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/)' },
];

// biome-ignore format: a table reads best as a table
export const aiCrawlers: DemoCrawler[] = [
  { bot: 'GPTBot', actor: 'ai_training', country: 'US', share: 0.026, burst: 40, pause: 3, appetite: training, networks: ['132.196.86.0/24', '172.182.204.0/24', '20.171.206.0/24', '20.171.207.0/24', '52.230.152.0/24', '74.7.227.0/25'], refused: { part: 0.02, status: 429 }, userAgent: `${openAi} GPTBot/1.3; +https://openai.com/gptbot` },
  { bot: 'ClaudeBot', actor: 'ai_training', country: 'US', share: 0.02, burst: 30, pause: 2, appetite: training, networks: ['216.73.216.0/22'], refused: { part: 0.03, status: 429 }, userAgent: `Mozilla/5.0 ${chrome}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)` },
  { bot: 'meta-externalagent', actor: 'ai_training', country: 'US', share: 0.019, burst: 60, pause: 1, appetite: training, networks: ['57.141.0.0/24', '57.141.6.0/24'], refused: { part: 0.11, status: 429 }, userAgent: 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)' },
  { bot: 'Amazonbot', actor: 'ai_training', country: 'US', share: 0.009, burst: 8, pause: 8, appetite: training, networks: ['52.70.240.171/32', '23.22.35.162/32', '3.224.220.101/32', '54.87.62.248/32'], userAgent: `Mozilla/5.0 ${chrome}; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36` },
  { bot: 'Bytespider', actor: 'ai_training', country: 'SG', share: 0.012, burst: 50, pause: 1, appetite: training, networks: ['47.128.16.0/20', '47.128.96.0/20'], refused: { part: 1, status: 403 }, userAgent: `Mozilla/5.0 (Linux; Android 5.0) ${chrome}) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)` },
  { bot: 'CCBot', actor: 'ai_training', country: 'US', share: 0.004, burst: 90, pause: 4, appetite: training, networks: ['18.97.9.168/29', '18.97.14.80/29'], userAgent: 'CCBot/2.0 (https://commoncrawl.org/faq/)' },
  { bot: 'OAI-SearchBot', actor: 'ai_search', country: 'US', share: 0.011, burst: 6, pause: 6, appetite: answering, networks: ['104.210.140.128/28', '135.234.64.0/24', '20.169.77.0/25', '51.8.102.0/24', '74.7.228.0/25'],
    userAgent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome}) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot` },
  { bot: 'PerplexityBot', actor: 'ai_search', country: 'US', share: 0.006, burst: 8, pause: 4, appetite: answering, networks: ['107.20.236.150/32', '3.224.62.45/32', '18.210.92.235/32', '18.97.9.96/29'], userAgent: `Mozilla/5.0 ${chrome}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)` },
  { bot: 'Claude-SearchBot', actor: 'ai_search', country: 'US', share: 0.003, burst: 5, pause: 5, appetite: answering, networks: ['216.73.216.0/22'], userAgent: `Mozilla/5.0 ${chrome}; compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)` },
  { bot: 'meta-webindexer', actor: 'ai_search', country: 'US', share: 0.003, burst: 10, pause: 3, appetite: answering, networks: ['57.141.14.0/24'], userAgent: 'meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)' },
  { bot: 'ChatGPT-User', actor: 'ai_fetcher', country: 'US', share: 0.013, burst: 1.5, pause: 1, appetite: fetching, followsPeople: true, followsPopularity: true, networks: ['23.98.142.176/28', '13.65.138.112/28', '40.84.221.208/28', '52.148.129.32/28', '4.197.64.0/28', '104.210.139.192/28', '20.228.106.176/28', '40.116.73.208/28'], userAgent: `${openAi} ChatGPT-User/1.0; +https://openai.com/bot` },
  { bot: 'Perplexity-User', actor: 'ai_fetcher', country: 'US', share: 0.0025, burst: 1.5, pause: 1, appetite: fetching, followsPeople: true, followsPopularity: true, networks: ['44.208.221.197/32', '34.193.163.52/32', '18.97.21.0/30'], userAgent: `Mozilla/5.0 ${chrome}; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)` },
  { bot: 'Claude-User', actor: 'ai_fetcher', country: 'US', share: 0.0018, burst: 1.5, pause: 1, appetite: fetching, followsPeople: true, followsPopularity: true, networks: ['34.162.230.222/32', '34.162.244.71/32', '34.85.172.162/32'], userAgent: `Mozilla/5.0 ${chrome}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)` },
  { bot: 'MistralAI-User', actor: 'ai_fetcher', country: 'SE', share: 0.0004, burst: 1.5, pause: 1, appetite: fetching, followsPeople: true, followsPopularity: true, networks: ['20.240.160.161/32', '20.240.160.1/32'], userAgent: `Mozilla/5.0 ${chrome}; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)` },
  { bot: 'meta-externalfetcher', actor: 'ai_fetcher', country: 'US', share: 0.0006, burst: 1.5, pause: 1, appetite: fetching, followsPeople: true, followsPopularity: true, networks: ['57.141.8.0/24'], userAgent: 'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)' },
];

// biome-ignore format: a table reads best as a table
export const otherCrawlers: DemoCrawler[] = [
  { bot: 'AhrefsBot', actor: 'seo_tool', country: 'FR', share: 0.015, burst: 20, pause: 6, appetite: links, networks: ['54.36.148.0/24', '54.36.149.0/24', '51.222.253.0/26'], userAgent: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)' },
  { bot: 'SemrushBot', actor: 'seo_tool', country: 'US', share: 0.012, burst: 25, pause: 4, appetite: links, networks: ['185.191.171.0/24', '85.208.96.0/24'], userAgent: 'Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)' },
  { bot: 'MJ12bot', actor: 'seo_tool', country: 'DE', share: 0.004, burst: 10, pause: 12, appetite: links, networks: ['5.9.156.0/24', '144.76.8.0/24'], userAgent: 'Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)' },
  { bot: 'DotBot', actor: 'seo_tool', country: 'US', share: 0.003, burst: 12, pause: 8, appetite: links, networks: ['216.244.66.0/24'], userAgent: 'Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)' },
  { bot: 'DataForSeoBot', actor: 'seo_tool', country: 'DE', share: 0.003, burst: 15, pause: 5, appetite: links, networks: ['136.243.228.176/28'], userAgent: 'Mozilla/5.0 (compatible; DataForSeoBot/1.0; +https://dataforseo.com/dataforseo-bot)' },
  { bot: 'Screaming Frog SEO Spider', actor: 'seo_tool', country: 'GB', share: 0.002, burst: 400, pause: 0.3, appetite: links, networks: ['81.134.20.0/24'], userAgent: 'Screaming Frog SEO Spider/22.1' },
  { bot: 'archive.org_bot', actor: 'archive', country: 'US', share: 0.0012, burst: 15, pause: 4, appetite: training, networks: ['207.241.233.0/24', '207.241.235.0/24'], userAgent: 'Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)' },
  { bot: 'facebookexternalhit', actor: 'social_preview', country: 'US', share: 0.003, burst: 1.4, pause: 1, followsPeople: true, followsPopularity: true, appetite: { home: 12, products: 70, posts: 20, images: 20 }, networks: ['69.171.230.0/24', '173.252.87.0/24', '31.13.115.0/24'], userAgent: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' },
  { bot: 'Pinterestbot', actor: 'social_preview', country: 'US', share: 0.0016, burst: 4, pause: 2, followsPopularity: true, appetite: { home: 3, products: 60, images: 40 }, networks: ['54.236.1.0/24'], userAgent: 'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)' },
  { bot: 'Twitterbot', actor: 'social_preview', country: 'US', share: 0.001, burst: 1.3, pause: 1, followsPeople: true, followsPopularity: true, appetite: { home: 10, products: 60, posts: 40 }, networks: ['199.16.156.0/22'], userAgent: 'Twitterbot/1.0' },
  { bot: 'WhatsApp', actor: 'social_preview', country: 'US', share: 0.001, burst: 1.2, pause: 1, followsPeople: true, followsPopularity: true, appetite: { home: 10, products: 90, posts: 10 }, networks: ['31.13.115.0/24'], userAgent: 'WhatsApp/2.25.28.77 A' },
  { bot: 'Slackbot-LinkExpanding', actor: 'social_preview', country: 'US', share: 0.0004, burst: 1.3, pause: 1, followsPeople: true, followsPopularity: true, appetite: { home: 10, products: 60, posts: 40 }, networks: ['3.80.0.0/16'], userAgent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  { bot: 'Discordbot', actor: 'social_preview', country: 'US', share: 0.0004, burst: 1.3, pause: 1, followsPeople: true, followsPopularity: true, appetite: { home: 10, products: 60, posts: 40 }, networks: ['35.237.4.0/24'], userAgent: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' },
];

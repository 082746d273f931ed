import type { DemoRequest } from '../../deploy/demo/traffic/demo-request.js';
import type { AiIntent, BotCategory } from '../../shared/requests/enriched-request.js';

/**
 * The demo's crawlers by their generator tokens. Written by hand from their operators' documentation: truth
 * tests compare the table of crawlers and its rules with it.
 */

export interface DemoBot {
  readonly name: string;
  readonly operator: string;
  readonly family: string;
  readonly category: BotCategory;
  readonly intent: AiIntent | '';
  /** How a claim is verified: published ranges or reverse DNS; '' if it cannot be. */
  readonly proof: 'ranges' | 'dns' | '';
  /** Whether its user agents distinguish small and large screens. */
  readonly smallScreen: string;
}

type Row = [
  token: string,
  operator: string,
  family: string,
  category: BotCategory,
  proof: DemoBot['proof'],
  intent?: AiIntent | undefined,
  name?: string,
];

// biome-ignore format: a table reads best as a table
const rows: Row[] = [
  ['Googlebot', 'Google', 'Google', 'search', 'ranges'],
  ['Googlebot-Image', 'Google', 'Google', 'search', 'ranges'],
  ['Storebot-Google', 'Google', 'Google', 'search', 'ranges'],
  ['AdsBot-Google', 'Google', 'Google', 'advertising', 'ranges'],
  ['bingbot', 'Microsoft', 'Bing', 'search', 'ranges'],
  ['YandexBot', 'Yandex', 'Yandex', 'search', 'dns'],
  ['Applebot', 'Apple', 'Apple', 'search', 'ranges'],
  ['Baiduspider', 'Baidu', 'Baidu', 'search', 'dns'],
  ['PetalBot', 'Huawei', 'Petal', 'search', 'dns'],
  ['DuckDuckBot', 'DuckDuckGo', 'DuckDuckGo', 'search', 'ranges'],
  ['SeznamBot', 'Seznam', 'Seznam', 'search', 'dns'],

  ['GPTBot', 'OpenAI', 'OpenAI', 'ai', 'ranges', 'training'],
  ['ClaudeBot', 'Anthropic', 'Anthropic', 'ai', 'ranges', 'training'],
  ['meta-externalagent', 'Meta', 'Meta', 'ai', 'ranges', 'training'],
  ['Amazonbot', 'Amazon', 'Amazon', 'ai', 'ranges', 'training'],
  ['Bytespider', 'ByteDance', 'ByteDance', 'ai', '', 'training'],
  ['CCBot', 'Common Crawl', 'Common Crawl', 'ai', 'ranges', 'training'],
  ['OAI-SearchBot', 'OpenAI', 'OpenAI', 'ai', 'ranges', 'search'],
  ['PerplexityBot', 'Perplexity', 'Perplexity', 'ai', 'ranges', 'search'],
  ['Claude-SearchBot', 'Anthropic', 'Anthropic', 'ai', 'ranges', 'search'],
  ['meta-webindexer', 'Meta', 'Meta', 'ai', 'ranges', 'search'],
  ['ChatGPT-User', 'OpenAI', 'OpenAI', 'ai', 'ranges', 'fetcher'],
  ['Perplexity-User', 'Perplexity', 'Perplexity', 'ai', 'ranges', 'fetcher'],
  ['Claude-User', 'Anthropic', 'Anthropic', 'ai', 'ranges', 'fetcher'],
  ['MistralAI-User', 'Mistral AI', 'Mistral AI', 'ai', 'ranges', 'fetcher'],
  ['meta-externalfetcher', 'Meta', 'Meta', 'ai', 'ranges', 'fetcher'],

  ['AhrefsBot', 'Ahrefs', 'Ahrefs', 'seo', 'ranges'],
  ['SemrushBot', 'Semrush', 'Semrush', 'seo', 'dns'],
  ['MJ12bot', 'Majestic', 'MJ12bot', 'seo', ''],
  ['DotBot', 'Moz', 'DotBot', 'seo', ''],
  ['DataForSeoBot', 'DataForSEO', 'DataForSEO', 'seo', 'dns'],
  ['Screaming Frog SEO Spider', 'Screaming Frog', 'Screaming Frog SEO Spider', 'seo', ''],
  ['archive.org_bot', 'Internet Archive', 'Internet Archive', 'archive', 'dns'],
  ['facebookexternalhit', 'Meta', 'Meta', 'social', 'ranges'],
  ['Pinterestbot', 'Pinterest', 'Pinterest', 'social', 'dns'],
  ['Twitterbot', 'X', 'Twitterbot', 'social', ''],
  ['WhatsApp', 'Meta', 'WhatsApp', 'social', ''],
  ['Slackbot-LinkExpanding', 'Slack', 'Slackbot', 'social', '', undefined, 'Slackbot'],
  ['Discordbot', 'Discord', 'Discordbot', 'social', ''],
  ['UptimeRobot', 'UptimeRobot', 'UptimeRobot', 'monitoring', 'ranges'],
  ['Pingdom', 'Pingdom', 'Pingdom', 'monitoring', 'ranges'],
  ['StatusCake', 'StatusCake', 'StatusCake', 'monitoring', 'ranges'],
  ['Feedly', 'Feedly', 'Feedly', 'feed', ''],
  ['Feedbin', 'Feedbin', 'Feedbin', 'feed', ''],
  ['Inoreader', 'Inoreader', 'Inoreader', 'feed', ''],

  ['ShelfScout', '', 'ShelfScout', 'other', ''],
  ['quietcrawler', '', 'quietcrawler', 'other', ''],
];

/**
 * Beginnings of scanners' user agents. A scanner with a browser's user agent counts as a person, since no log
 * line shows otherwise.
 */
// biome-ignore format: a table reads best as a table
const tools: Row[] = [
  ['python-requests/', 'Python', 'python-requests', 'tool', '', undefined, 'python-requests'],
  ['Go-http-client/', 'Go', 'Go-http-client', 'tool', '', undefined, 'Go-http-client'],
  ['curl/', 'curl', 'curl', 'tool', '', undefined, 'curl'],
  ['() { :; };', '', 'Unknown client', 'other', '', undefined, 'Unknown client'],
  ['Mozilla/5.0 zgrab/', 'ZMap', 'zgrab', 'security', '', undefined, 'zgrab'],
  ['sqlmap/', 'sqlmap', 'sqlmap', 'security', '', undefined, 'sqlmap'],
  ['Mozilla/5.0 (compatible; Nuclei', 'ProjectDiscovery', 'Nuclei', 'security', '', undefined, 'Nuclei'],
  ['l9explore/', 'LeakIX', 'LeakIX', 'security', '', undefined, 'LeakIX'],
  ['Mozilla/5.0 (compatible; CensysInspect', 'Censys', 'CensysInspect', 'security', '', undefined, 'CensysInspect'],
];

/** Names of crawlers with a variant for small screens, and the variant's name. */
const smallScreens = new Map([
  ['Googlebot', 'smartphone'],
  ['bingbot', 'mobile'],
]);

function toBot([token, operator, family, category, proof, intent, name]: Row): DemoBot {
  const smallScreen = smallScreens.get(token) ?? '';
  return { name: name ?? token, operator, family, category, intent: intent ?? '', proof, smallScreen };
}

const bots = new Map(rows.map((row) => [row[0], toBot(row)]));
const toolsByBeginning = tools.map((row) => ({ beginning: row[0], bot: toBot(row) }));
const noUserAgent = toBot(['', '', 'No user agent', 'other', '', undefined, 'No user agent']);

/**
 * The bot that a request claims to be; null: none.
 * @throws Error if the generator has a bot that is not listed here
 */
export function claimOf({ actor, bot, user_agent }: DemoRequest): DemoBot | null {
  if (bot !== '') {
    const named = bots.get(bot);
    if (named === undefined) throw new Error(`who is ${bot}?`);
    return named;
  }
  if (actor !== 'scanner') return null;
  if (user_agent === '') return noUserAgent;
  return toolsByBeginning.find(({ beginning }) => user_agent.startsWith(beginning))?.bot ?? null;
}

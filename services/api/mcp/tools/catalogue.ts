import { z } from 'zod';
import { choice, operationArguments, sharedArguments, text, textOf, toolInput } from './arguments.js';

/**
 * Names, descriptions and arguments of the tools: all that a model reads before it chooses one. A client sends this with every question, so
 * the whole list has at most 3,000 tokens (catalogue.test.ts).
 */

export interface ToolText {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly effect: 'read' | 'write';
  /** Whether the answer can be shown as a chart (app/chart.html). */
  readonly chart?: boolean;
}

export const groups = [
  'hour',
  'day',
  'path',
  'status',
  'country',
  'city',
  'ip',
  'network',
  'referrer',
  'browser',
  'os',
  'device',
  'bot',
  'bot_access',
] as const;

export const audiences = ['all', 'people', 'bots', 'search', 'ai'] as const;

export const aiViews = ['crawlers', 'funnel', 'landing', 'never_fetched', 'undeclared', 'ratio'] as const;

export const seoViews = [
  'summary',
  'crawl_budget',
  'url_patterns',
  'status_consistency',
  'robots',
  'sitemap',
  'index_coverage',
  'search_performance',
  'crawl_findings',
  'importance',
  'checks',
] as const;

const incidentViews = ['open', 'alerts', 'health', 'advice'] as const;

export const inputs = {
  list_websites: toolInput({}),
  get_overview: toolInput(sharedArguments),
  query_traffic: toolInput({
    by: choice(groups, 'What each row stands for'),
    who: choice(audiences).default('all'),
    compare: z.boolean().default(false).describe('Add the window before'),
    ...sharedArguments,
  }),
  ai_visibility: toolInput({
    view: choice(aiViews),
    operator: text(100).optional().describe('OpenAI, Anthropic, Perplexity …'),
    ...sharedArguments,
  }),
  seo_health: toolInput({
    view: choice(seoViews),
    crawler: text(200).optional().describe('Googlebot, bingbot …'),
    directory: text(2_000).optional().describe('/blog/'),
    ...sharedArguments,
  }),
  explain_url: toolInput({
    path: text(2_000).describe('Exact path, or a part of it to search'),
    ...sharedArguments,
  }),
  incidents: toolInput({
    view: choice(incidentViews).default('open'),
    type: text(100).optional().describe('error_spike_5xx, traffic_spike, hacking_probe …'),
    ...sharedArguments,
  }),
  find_requests: toolInput({
    bot: text(200).optional(),
    ip: text(64).optional(),
    path_contains: text(2_000).optional(),
    status: textOf(/^(?:[1-5]xx|[1-9]\d\d)$/, 'a status such as 404, or a class such as 5xx')
      .optional()
      .describe('404 or 5xx'),
    method: text(20).optional(),
    user_agent_contains: text(500).optional(),
    ...sharedArguments,
  }),
  describe_operation: toolInput({
    find: text(200).optional().describe('Words, e.g. "export csv"'),
    operation: text(100).optional().describe('Id; gives its parameters'),
  }),
  call_operation: toolInput(operationArguments),
  change_operation: toolInput({
    ...operationArguments,
    body: z.record(z.string(), z.unknown()).optional(),
  }),
} as const;

export type ToolName = keyof typeof inputs;

const texts: Record<ToolName, Omit<ToolText, 'name' | 'input'>> = {
  list_websites: {
    title: 'Websites',
    description: 'Websites (sites, domains) that this key has access to: domain, id, platform.',
    effect: 'read',
  },
  get_overview: {
    title: 'Overview',
    description:
      'Summary of a website: requests, humans against bots, search, AI and spoofed bots, errors, latency, each compared with the period before. For "how is the site doing" and "what changed since last week".',
    effect: 'read',
    chart: true,
  },
  query_traffic: {
    title: 'Traffic',
    description:
      'Traffic (requests, hits, visitors) by one dimension: over time (hour, day), most requested or read pages (path), HTTP status codes, country, city, address (ip), provider or ASN (network), sites that link (referrer), browser, os, mobile or desktop (device), every bot or crawler by name (bot), or which bots are served and which are blocked or refused (bot_access).',
    effect: 'read',
    chart: true,
  },
  ai_visibility: {
    title: 'AI visibility',
    description:
      'AI crawlers, companies and assistants (ChatGPT, Claude …). crawlers: AI bots and their intent (training, search, fetcher). funnel: pages fetched against visits sent, by operator. landing: pages where visitors from AI answers arrive. never_fetched: pages with search impressions that no AI bot reads. undeclared: unknown bots. ratio: fetches per visit.',
    effect: 'read',
    chart: true,
  },
  seo_health: {
    title: 'Search crawlers and SEO',
    description:
      'Googlebot, Bingbot and technical SEO. summary: search crawlers. crawl_budget: most crawled URLs. url_patterns: wasted crawling by pattern. status_consistency: pages that answer now 200, now errors. robots: robots.txt rules and violations. sitemap: URLs crawled or not. index_coverage: indexed or not. search_performance: queries, clicks, impressions, position. crawl_findings: site audit (broken links, redirects, titles). importance: page scores by links. checks: nightly tests, pass or fail.',
    effect: 'read',
  },
  explain_url: {
    title: 'One URL',
    description:
      'Everything about one page or article: who visits it, crawlers, sitemap, index status, links, queries.',
    effect: 'read',
  },
  incidents: {
    title: 'Incidents and advice',
    description:
      'What is wrong or broken now. open: incidents, attacks. alerts: single alerts (spikes, 5xx, probes, scrapers). health: current values against the usual band. advice: addresses to block, 404 pages and slow pages to repair.',
    effect: 'read',
  },
  find_requests: {
    title: 'Single requests',
    description: 'Raw log lines, newest first, by these filters. For evidence, not for counts.',
    effect: 'read',
  },
  describe_operation: {
    title: 'Find an operation',
    description:
      'Finds operations of the whole API by words, and gives parameters of one. For exports, reports, segments, site events, settings, plan, billing, setup and what no other tool covers.',
    effect: 'read',
  },
  call_operation: {
    title: 'Read by operation',
    description: 'Calls one reading (GET) operation of the API that describe_operation found.',
    effect: 'read',
  },
  change_operation: {
    title: 'Change by operation',
    description:
      'Calls one changing operation: create exports, reports, segments, site events; acknowledge, suppress, crawls. Only when the user asks for the change.',
    effect: 'write',
  },
};

export const catalogue: readonly ToolText[] = (Object.keys(inputs) as ToolName[]).map((name) => ({
  name,
  ...texts[name],
  input: inputs[name],
}));

export const CHART_URI = 'ui://loglane/chart.html';

/** A tool as `tools/list` gives it; the SDK adds the JSON form of the input. */
export function listed({ title, description, input, effect, chart = false }: ToolText) {
  const reads = effect === 'read';
  return {
    title,
    description,
    inputSchema: input,
    annotations: { readOnlyHint: reads, openWorldHint: false, ...(!reads && { destructiveHint: true }) },
    // Clients differ in which of both they read.
    ...(chart && { _meta: { ui: { resourceUri: CHART_URI }, 'ui/resourceUri': CHART_URI } }),
  };
}

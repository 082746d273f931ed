import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { loadCrawlerTable } from './load-table.js';
import { createCrawlerIdentifier } from './table.js';

const identify = createCrawlerIdentifier(loadCrawlerTable());
const samples = createRequire(import.meta.url)('crawler-user-agents') as Array<{ instances?: string[] }>;

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko';

describe('a crawler has the operator and the kind from its documentation', () => {
  test.each([
    ['GoToSocial/0.17.3 (+https://gts.example)', 'GoToSocial', 'GoToSocial', 'social', null],
    ['gotosocial/0.19.2+git-90851fc (+https://a.example)', 'GoToSocial', 'GoToSocial', 'social', null],
    [
      'Mozilla/5.0 (compatible; HubSpot Crawler; web-crawlers@hubspot.com)',
      'HubSpot Crawler',
      'HubSpot',
      'seo',
      null,
    ],
    ['Vercelbot/0.1', 'Vercelbot', 'Vercel', 'monitoring', null],
    ['Snap/1.0 (+https://www.diffbot.com/dev/docs/crawl/)', 'Snap by Diffbot', 'Diffbot', 'ai', 'training'],
    ['Mozilla/5.0 (compatible; MistralBot/1.0)', 'MistralBot', 'Mistral AI', 'ai', 'training'],
    ['Mozilla/5.0 (compatible; xAI-SearchBot/1.0; +https://x.ai)', 'xAI-SearchBot', 'xAI', 'ai', 'search'],
    [
      `Mozilla/5.0 ${webkit}; compatible; GoogleAgent-Search; +https://developers.google.com/search) Chrome/141.0.0.0 Safari/537.36`,
      'GoogleAgent-Search',
      'Google',
      'ai',
      'fetcher',
    ],
    ['GitHubCopilotChat/0.8.0', 'GitHubCopilotChat', 'GitHub', 'ai', 'fetcher'],
    [
      'Mozilla/5.0 (compatible; OpenAI Image Downloader)',
      'OpenAI Image Downloader',
      'OpenAI',
      'ai',
      'fetcher',
    ],
    ['jina-reader', 'Jina Reader', 'Jina AI', 'ai', 'fetcher'],
    ['Amazon CloudFront', 'Amazon CloudFront', 'Amazon', 'tool', null],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${webkit}; compatible; BW/1.3; rb.gy/qyzae5) Chrome/124.0.0.0 Safari/537.36`,
      'BuiltWith',
      'BuiltWith',
      'seo',
      null,
    ],
    [
      'Mozilla/5.0 (compatible; CloudFlare-AlwaysOnline/1.0; +https://www.cloudflare.com/always-online)',
      'Cloudflare-AlwaysOnline',
      'Cloudflare',
      'archive',
      null,
    ],
    ['Bun/1.1.30', 'Bun', 'Oven', 'tool', null],
    ['node', 'Node.js', 'Node.js', 'tool', null],
    ['Mozilla/5.0 (compatible; Dataprovider.com)', 'Dataprovider', 'Dataprovider.com', 'seo', null],
    ['Copilot/1.0', 'Copilot', 'Microsoft', 'ai', 'fetcher'],
    ['Perplexity-Stripe', 'Perplexity-Stripe', 'Perplexity', 'ai', 'fetcher'],
    ['codex_cli_rs/0.40.0 (Ubuntu 24.4.0; x86_64)', 'OpenAI', 'OpenAI', 'ai', 'fetcher'],
    ['GrokDeepSearch/1.0', 'Grok', 'xAI', 'ai', 'fetcher'],
    [
      'ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)',
      'ModelContextProtocol',
      'Model Context Protocol',
      'ai',
      'fetcher',
    ],
    [
      'Open WebUI (https://github.com/open-webui/open-webui) RAG Bot',
      'Open WebUI',
      'Open WebUI',
      'ai',
      'fetcher',
    ],
    ['langchain-community/0.2', 'LangChain', 'LangChain', 'ai', 'fetcher'],
    ['Aider/0.86.1 +https://aider.chat', 'aider', 'Aider', 'ai', 'fetcher'],
    ['huggingface_hub/0.34.4; python/3.12', 'HuggingFace', 'Hugging Face', 'ai', 'training'],
    ['n8n', 'n8n', 'n8n', 'tool', null],
    ['ltx71 - (http://ltx71.com/)', 'ltx71', 'LTX71', 'security', null],
  ] as const)('%s', (userAgent, name, operator, category, aiIntent) =>
    expect(identify(userAgent)).toMatchObject({ name, operator, category, aiIntent }),
  );

  test('for most samples of the public crawler list', () => {
    const agents = samples.flatMap(({ instances = [] }) => instances);
    const unknown = agents.filter((agent) => identify(agent)?.operator === '');
    expect(unknown.length / agents.length).toBeLessThan(0.3);
  });
});

test.each([
  [
    'meta-externalads/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'meta-externalads',
  ],
  ['meta-externalagent/1.1', 'meta-externalagent'],
  ['SemrushBot-BA/1.0', 'SemrushBot-BA'],
  ['SplitSignalBot/1.0', 'SplitSignalBot'],
  ['Mozilla/5.0 (compatible; GrokBot/1.0)', 'GrokBot'],
  ['AI2Bot-Dolma/1.0', 'AI2Bot-Dolma'],
  ['AwarioRssBot/1.0', 'AwarioRssBot'],
  ['DuckDuckGo-Favicons-Bot/1.0', 'DuckDuckGo-Favicons-Bot'],
  ['Baiduspider-ads', 'Baiduspider-ads'],
  ['AdsBot-Google-Mobile-Apps', 'AdsBot-Google-Mobile-Apps'],
  ['Amazon-Advertising-ad-standards-bot/1.0', 'Amazon-Advertising-ad-standards-bot'],
])('an agent with its own name in robots.txt has its own entry: %s', (userAgent, name) =>
  expect(identify(userAgent)?.name).toBe(name),
);

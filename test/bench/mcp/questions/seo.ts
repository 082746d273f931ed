import type { Question } from './question.js';

export const seo: readonly Question[] = [
  {
    id: 'wasted-directories',
    tool: 'seo_health',
    arguments: { view: 'crawl_budget' },
    forbidden: ['find_requests'],
    wordings: [
      'Which directories does Googlebot waste its time on?',
      'Where is our crawl budget going?',
      'Break down what search engines crawl by section of the site, with the waste.',
    ],
  },
  {
    id: 'url-parameters',
    tool: 'seo_health',
    arguments: { view: 'url_patterns' },
    forbidden: ['explain_url'],
    wordings: [
      'Are faceted URLs with query parameters eating up crawling?',
      'Group crawled addresses by their shape, like /product/{id}?sort=',
      'Which kinds of URL template does Google hit most?',
    ],
  },
  {
    id: 'flapping-status',
    tool: 'seo_health',
    arguments: { view: 'status_consistency' },
    wordings: [
      'Do any pages answer 200 one time and 404 the next?',
      'Which URLs return different status codes to crawlers from one visit to the next?',
      'Find pages whose response code flips back and forth.',
    ],
  },
  {
    id: 'robots-history',
    tool: 'seo_health',
    arguments: { view: 'robots' },
    wordings: [
      'When did our robots.txt last change?',
      'Did somebody edit the robots file this month, and what is disallowed now?',
      'Are crawlers ignoring the rules in robots.txt?',
    ],
  },
  {
    id: 'sitemap-state',
    tool: 'seo_health',
    arguments: { view: 'sitemap' },
    wordings: [
      'How many URLs in our sitemap has Google never crawled?',
      'Is the XML sitemap in order?',
      'Compare the sitemap with what search bots really fetch.',
    ],
  },
  {
    id: 'indexed-pages',
    tool: 'seo_health',
    arguments: { view: 'index_coverage' },
    wordings: [
      'How many of our pages are indexed by Google?',
      'Why are pages excluded from the index?',
      'Show coverage: indexed against not indexed.',
    ],
  },
  {
    id: 'rankings',
    tool: 'seo_health',
    arguments: { view: 'search_performance' },
    wordings: [
      'Which queries bring us the most clicks from Google?',
      'How did impressions and average position develop in Search Console?',
      'What do people type into search to find us?',
    ],
  },
  {
    id: 'site-audit',
    tool: 'seo_health',
    arguments: { view: 'crawl_findings' },
    wordings: [
      'What technical problems did the last site audit turn up?',
      'Any broken links, missing titles or redirect chains in the latest crawl of our site?',
      'List duplicate titles and missing canonicals.',
    ],
  },
  {
    id: 'link-graph',
    tool: 'seo_health',
    arguments: { view: 'importance' },
    wordings: [
      'Which pages have the strongest internal linking?',
      'What are our most important pages by PageRank-like score?',
      'Which important pages do bots neglect?',
    ],
  },
  {
    id: 'routine-checks',
    tool: 'seo_health',
    arguments: { view: 'checks' },
    wordings: [
      'Are the regular tests of our key pages passing?',
      'Which monitored URLs failed their test last night?',
      'Did the scheduled page checks find a noindex?',
    ],
  },
  {
    id: 'seo-state',
    tool: 'seo_health',
    arguments: { view: 'summary' },
    wordings: [
      'Give me a quick picture of how we are doing in SEO.',
      'How healthy is the site for search engines?',
      'What should an SEO look at first this week?',
    ],
  },
  {
    id: 'search-bot-trend',
    tool: 'query_traffic',
    arguments: { by: 'day', who: 'search' },
    forbidden: ['find_requests'],
    wordings: [
      'Show search engine crawls per day for the last month.',
      'Is crawling by search bots going up or down day by day?',
      'Plot the daily number of visits from search crawlers.',
    ],
  },
  {
    id: 'pages-most-crawled',
    tool: 'query_traffic',
    arguments: { by: 'path', who: 'search' },
    wordings: [
      'Top 20 pages by search bot hits.',
      'Which pages do search engines request the most?',
      'List the URLs most often crawled by search crawlers.',
    ],
  },
  {
    id: 'one-page-crawled',
    tool: 'explain_url',
    arguments: { path: '/pricing' },
    forbidden: ['list_websites'],
    wordings: [
      'When did Google last visit /pricing?',
      'Tell me everything you know about /pricing.',
      'Why is /pricing not showing up in Google?',
    ],
  },
  {
    id: 'one-page-redirect',
    tool: 'explain_url',
    arguments: { path: '/old-shop' },
    wordings: [
      'What happens when bots fetch /old-shop?',
      'Is the page /old-shop still visited by anyone?',
      'Look into the page /old-shop: status, visitors, crawlers.',
    ],
  },
  {
    id: 'which-bots',
    tool: 'query_traffic',
    arguments: { by: 'bot' },
    wordings: [
      'Rank the bots by number of requests.',
      'Which crawlers come by most?',
      'How much does each bot hit us, Bingbot against Googlebot and the rest?',
    ],
  },
];

import type { Question } from './question.js';

export const content: readonly Question[] = [
  {
    id: 'ai-crawlers',
    tool: 'ai_visibility',
    arguments: { view: 'crawlers' },
    wordings: [
      'Which AI companies read our articles?',
      'How much do GPTBot, ClaudeBot and PerplexityBot crawl us?',
      'List AI bots with how many pages they fetched.',
    ],
  },
  {
    id: 'ai-funnel',
    tool: 'ai_visibility',
    arguments: { view: 'funnel' },
    wordings: [
      'From being read by ChatGPT to a click on our site, how many steps get lost?',
      'How do AI fetches convert into visits?',
      'Show the path from AI crawling through answers to visitors.',
    ],
  },
  {
    id: 'ai-visits',
    tool: 'ai_visibility',
    arguments: { view: 'landing' },
    wordings: [
      'On which pages do visitors from ChatGPT arrive?',
      'Which articles get clicks from AI assistants?',
      'Where do people referred by Perplexity enter the site?',
    ],
  },
  {
    id: 'ai-blind-spots',
    tool: 'ai_visibility',
    arguments: { view: 'never_fetched' },
    forbidden: ['find_requests'],
    wordings: [
      'Which of our pages has no AI ever read?',
      'What content are AI crawlers missing?',
      'List articles that no AI bot has fetched so far.',
    ],
  },
  {
    id: 'crawl-to-refer',
    tool: 'ai_visibility',
    arguments: { view: 'ratio' },
    wordings: [
      'How many pages does OpenAI crawl for each visitor it sends?',
      'What do AI operators give back for what they take?',
      'Crawls per referral for Anthropic and the others.',
    ],
  },
  {
    id: 'openai-only',
    tool: 'ai_visibility',
    arguments: { operator: 'OpenAI' },
    wordings: [
      'What does OpenAI do on our site?',
      'Tell me about the crawling by OpenAI only.',
      'How active is OpenAI here?',
    ],
  },
  {
    id: 'ai-by-day',
    tool: 'query_traffic',
    arguments: { by: 'day', who: 'ai' },
    also: ['ai_visibility'],
    wordings: [
      'Daily number of AI hits over the last 30 days.',
      'Is AI crawling growing from day to day?',
      'Chart of AI bot requests per day.',
    ],
  },
  {
    id: 'referrers',
    tool: 'query_traffic',
    arguments: { by: 'referrer' },
    wordings: [
      'Which sites link to us and send visitors?',
      'Where do our readers come from, by referring site?',
      'Top referrers this month.',
    ],
  },
  {
    id: 'popular-articles',
    tool: 'query_traffic',
    arguments: { by: 'path', who: 'people' },
    wordings: [
      'What are the most read articles by real people?',
      'Most popular pages among human visitors.',
      'Which stories did people open most yesterday?',
    ],
  },
  {
    id: 'reader-countries',
    tool: 'query_traffic',
    arguments: { by: 'country', who: 'people' },
    wordings: [
      'In which countries do our human readers live?',
      'People by country, last 90 days.',
      'How international is our human audience?',
    ],
  },
  {
    id: 'devices',
    tool: 'query_traffic',
    arguments: { by: 'device' },
    wordings: [
      'Mobile or desktop: what do visitors use?',
      'Share of phones and tablets.',
      'On which devices is the site read?',
    ],
  },
  {
    id: 'browsers',
    tool: 'query_traffic',
    arguments: { by: 'browser' },
    wordings: [
      'Do we still have Firefox users?',
      'Which browsers do people visit with?',
      'Chrome, Safari, Edge: how are they distributed?',
    ],
  },
  {
    id: 'article-reads',
    tool: 'explain_url',
    arguments: { path: '/blog/ai-agents' },
    wordings: [
      'Who reads /blog/ai-agents, people or bots?',
      'How is the article /blog/ai-agents doing?',
      'Has ChatGPT looked at /blog/ai-agents?',
    ],
  },
  {
    id: 'report-by-mail',
    tool: 'change_operation',
    also: ['describe_operation'],
    wordings: [
      'Send me a weekly report by mail every Monday.',
      'Set up a monthly PDF report for the editors.',
      'Schedule a report for the content team.',
    ],
  },
  {
    id: 'note-relaunch',
    tool: 'change_operation',
    also: ['describe_operation'],
    wordings: [
      'Record that we relaunched the blog today.',
      'Add a note for the deployment of 3 November to the charts.',
      'Mark yesterday as the day of our migration.',
    ],
  },
];

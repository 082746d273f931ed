import type { Question } from './question.js';

export const security: readonly Question[] = [
  {
    id: 'top-addresses',
    tool: 'query_traffic',
    arguments: { by: 'ip' },
    wordings: [
      'Which IP addresses hammer us the most?',
      'Top talkers by client address.',
      'Show the addresses with the most requests in the last hour.',
    ],
  },
  {
    id: 'top-networks',
    tool: 'query_traffic',
    arguments: { by: 'network' },
    wordings: [
      'Which hosting providers or ASNs does our traffic come from?',
      'Group requests by autonomous system.',
      'Is a single network responsible for the spike?',
    ],
  },
  {
    id: 'attack-countries',
    tool: 'query_traffic',
    arguments: { by: 'country', who: 'bots' },
    wordings: [
      'From which countries do bots reach us?',
      'Bot traffic by country, please.',
      'Where in the world do automated requests come from?',
    ],
  },
  {
    id: 'what-to-block',
    tool: 'incidents',
    arguments: { view: 'advice' },
    forbidden: ['change_operation'],
    wordings: [
      'Which firewall rule should I add to stop the scrapers?',
      'Whom should we block, and how?',
      'Give me a recommendation for what to block or rate-limit.',
    ],
  },
  {
    id: 'open-attack',
    tool: 'incidents',
    arguments: { view: 'open' },
    wordings: [
      'Are we under attack at the moment?',
      'Is there an active attack or anomaly?',
      'Did you detect a scan that is still going on?',
    ],
  },
  {
    id: 'fake-googlebot-lines',
    tool: 'find_requests',
    arguments: { bot: 'Googlebot' },
    wordings: [
      'Show me single requests that claim to be Googlebot.',
      'Raw log lines of Googlebot, latest ones.',
      'I want to inspect individual hits from Googlebot.',
    ],
  },
  {
    id: 'one-address',
    tool: 'find_requests',
    arguments: { ip: '203.0.113.7' },
    forbidden: ['explain_url'],
    wordings: [
      'What did 203.0.113.7 request?',
      'Trace the activity of client 203.0.113.7.',
      'Every hit from 203.0.113.7 in the last day.',
    ],
  },
  {
    id: 'env-probes',
    tool: 'find_requests',
    arguments: { path_contains: '.env' },
    wordings: [
      'Who tried to fetch .env files?',
      'Show requests that contain .env in the path.',
      'Find probes for .env in the logs.',
    ],
  },
  {
    id: 'undeclared-ai',
    tool: 'ai_visibility',
    arguments: { view: 'undeclared' },
    wordings: [
      'Does an AI company crawl us while posing as a browser?',
      'Stealth crawlers of AI operators: do we have any?',
      'Are there AI agents that hide who they are?',
    ],
  },
  {
    id: 'refused-bots',
    tool: 'query_traffic',
    arguments: { by: 'bot_access' },
    wordings: [
      'Which bots get blocked and which are let through?',
      'How often do we refuse each crawler compared to serving it?',
      'Are bots that we allow being turned away by the firewall?',
    ],
  },
  {
    id: 'human-vs-bot',
    tool: 'get_overview',
    wordings: [
      'How much of our traffic is bots versus humans?',
      'What proportion of requests is automated?',
      'Real people against machines, what is the split?',
    ],
  },
  {
    id: 'city-logins',
    tool: 'query_traffic',
    arguments: { by: 'city' },
    wordings: [
      'Which cities do requests come from?',
      'Break visitors down by town.',
      'Top cities of the last 30 days.',
    ],
  },
  {
    id: 'who-changed',
    tool: 'describe_operation',
    also: ['call_operation'],
    wordings: [
      'Who changed settings in our organisation recently?',
      'Is there an audit log of members and API keys?',
      'List the API keys that exist.',
    ],
  },
  {
    id: 'make-segment',
    tool: 'change_operation',
    also: ['describe_operation'],
    wordings: [
      'Save a segment for requests to /admin from outside Germany.',
      'Create a saved filter named admin probes.',
      'Add a segment that covers everything under /wp-admin.',
    ],
  },
];

import type { Question } from './question.js';

export const sre: readonly Question[] = [
  {
    id: 'errors-by-status',
    tool: 'query_traffic',
    arguments: { by: 'status' },
    wordings: [
      'How many 4xx and 5xx answers did we give in the last 24 hours?',
      'Split responses by HTTP code.',
      'What share of requests ended in each status code?',
    ],
  },
  {
    id: 'hourly-load',
    tool: 'query_traffic',
    arguments: { by: 'hour' },
    wordings: [
      'Requests per hour today, please.',
      'At what time of day is the load highest?',
      'Give me an hourly curve of traffic since yesterday.',
    ],
  },
  {
    id: 'what-is-broken',
    tool: 'incidents',
    arguments: { view: 'open' },
    wordings: [
      'Is anything on fire right now?',
      'What is currently broken?',
      'Any ongoing incident I should know about?',
    ],
  },
  {
    id: 'past-alerts',
    tool: 'incidents',
    arguments: { view: 'alerts' },
    wordings: [
      'Which alerts fired during the night?',
      'Show me the alert history of last week.',
      'Did we get alarmed about errors yesterday?',
    ],
  },
  {
    id: 'data-late',
    tool: 'describe_operation',
    also: ['call_operation'],
    wordings: [
      'Are our logs still arriving?',
      'Is the data complete, or is a log source lagging?',
      'When was the last line received, and is ingestion healthy?',
    ],
  },
  {
    id: 'raw-500s',
    tool: 'find_requests',
    arguments: { status: '500' },
    forbidden: ['seo_health'],
    wordings: [
      'Show me single log lines that answered 500.',
      'Pull up the individual requests that failed with HTTP 500.',
      'I want to see raw requests with a 500, newest first.',
    ],
  },
  {
    id: 'raw-post-checkout',
    tool: 'find_requests',
    arguments: { method: 'POST', path_contains: '/checkout' },
    wordings: [
      'Fetch the latest POST requests to /checkout from the log.',
      'Which POST calls hit /checkout lately, line by line?',
      'Let me see the raw POSTs to /checkout.',
    ],
  },
  {
    id: 'raw-user-agent',
    tool: 'find_requests',
    arguments: { user_agent_contains: 'python-requests' },
    wordings: [
      'Find requests whose user agent contains python-requests.',
      'Show lines sent by python-requests.',
      'Look up hits with python-requests in the User-Agent header.',
    ],
  },
  {
    id: 'week-against-week',
    tool: 'get_overview',
    forbidden: ['find_requests'],
    wordings: [
      'How did the site do this week compared with last?',
      'Give me a summary of traffic for the last 7 days.',
      'What changed since last week?',
    ],
  },
  {
    id: 'latency',
    tool: 'get_overview',
    wordings: [
      'What is our p95 response time and error rate at the moment?',
      'Key figures for yesterday: requests, errors, speed.',
      'In one glance: visitors, bots, errors, latency.',
    ],
  },
  {
    id: 'which-sites',
    tool: 'list_websites',
    wordings: [
      'Which sites do I have access to?',
      'What domains are set up here?',
      'List all our properties.',
    ],
  },
  {
    id: 'usual-level',
    tool: 'incidents',
    arguments: { view: 'health' },
    wordings: [
      'Is our traffic normal for this hour?',
      'Do the current figures deviate from the baseline?',
      'Are response times out of the ordinary at present?',
    ],
  },
  {
    id: 'schedule-export',
    tool: 'change_operation',
    also: ['describe_operation'],
    wordings: [
      'Start an export of raw logs of October to our bucket.',
      'Please create an export of last month as Parquet.',
      'Kick off a CSV dump of all requests from yesterday.',
    ],
  },
  {
    id: 'close-incident',
    tool: 'change_operation',
    also: ['describe_operation', 'incidents'],
    forbidden: ['find_requests'],
    wordings: [
      'Acknowledge the incident about 5xx errors.',
      'Mark the running outage as acknowledged by me.',
      'Silence the alert on slow pages until Monday.',
    ],
  },
  {
    id: 'plan-usage',
    tool: 'describe_operation',
    also: ['call_operation'],
    forbidden: ['query_traffic'],
    wordings: [
      'How many log lines of our plan have we used up?',
      'What does our subscription cost this month?',
      'Show me our latest invoices.',
    ],
  },
];

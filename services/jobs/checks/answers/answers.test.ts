import { expect } from 'vitest';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { answered, failed, logs, retrieval } from '../../../../test/harness/jobs/check-facts.js';
import { crawlParameters } from './crawl-parameters.js';
import { crawlRedirects } from './crawl-redirects.js';
import { crawlerDrop } from './crawler-drop.js';
import { crawlerNotFound } from './crawler-not-found.js';
import { crawlerServerErrors } from './crawler-server-errors.js';
import { homeAnswers } from './home-answers.js';
import { statusConsistencyCheck } from './status-consistency.js';
import { unknownPath } from './unknown-path.js';

type Crawl = NonNullable<Parameters<typeof logs>[0]>['crawl'];
const crawl = (given: Crawl) => ({ logs: logs({ crawl: given }) });
const worst = [{ path: '/a', statuses: { 200: 3, 503: 9 } }];
const consistency = (checked: number, unsteady: number) =>
  crawl({ consistency: { checked, unsteady, warning: 0, worst } });
const tooFew = [
  'unknown',
  'search crawlers hardly came',
  crawl({ requests: 10 }),
  { crawler_requests: 10 },
] as const;

checkCases([
  [
    homeAnswers,
    [
      ['pass', 'it answers', {}],
      [
        'pass',
        'it is longer than is read',
        { home: retrieval({ outcome: 'partial', isCut: true }) },
        { outcome: 'partial' },
      ],
      ['fail', 'it is not there', { home: answered(404) }, { outcome: 'missing', status: 404 }],
      ['fail', 'a server error', { home: answered(503) }, { outcome: 'server_error' }],
      ['fail', 'another error', { home: answered(400) }, { outcome: 'http_error' }],
      ['unknown', 'it turns Loglane away', { home: answered(429) }, { outcome: 'blocked', status: 429 }],
      [
        'unknown',
        'it does not answer',
        { home: failed('timeout') },
        { outcome: 'unreachable', status: null },
      ],
    ],
  ],
  [
    unknownPath,
    [
      ['pass', '404', {}, { outcome: 'missing' }],
      ['pass', '410', { madeUp: answered(410) }],
      ['fail', '200', { madeUp: retrieval() }, { outcome: 'ok' }],
      [
        'fail',
        'led to the home page',
        { madeUp: retrieval({ redirects: [{ url: 'https://example.com/x', status: 302 }] }) },
      ],
      ['fail', 'a server error', { madeUp: answered(500) }],
      ['warn', 'another error', { madeUp: answered(400) }],
      ['unknown', 'it turns Loglane away', { madeUp: answered(403) }, { outcome: 'blocked' }],
      ['unknown', 'it does not answer', { madeUp: failed('timeout') }],
    ],
  ],
  [
    crawlerServerErrors,
    [
      ['pass', 'one in a thousand', {}, { share_pct: 0.1 }],
      ['warn', 'one in a hundred', crawl({ serverErrors: 10 })],
      ['fail', 'one in twenty', crawl({ serverErrors: 50 })],
      tooFew,
    ],
  ],
  [
    crawlerNotFound,
    [
      ['pass', 'few', {}],
      [
        'warn',
        'a tenth',
        crawl({ notFound: 100 }),
        { listed_by: '/seo/requests?status=404&bot_verified=true&hours=168' },
      ],
      ['fail', 'a third', crawl({ notFound: 330 })],
      tooFew,
    ],
  ],
  [
    crawlRedirects,
    [
      ['pass', 'few', {}],
      ['warn', 'a fifth', crawl({ redirected: 200 })],
      ['fail', 'half', crawl({ redirected: 500 })],
      tooFew,
    ],
  ],
  [
    crawlParameters,
    [
      ['pass', 'few', {}],
      ['warn', 'a third', crawl({ withQuery: 330 })],
      ['fail', 'most', crawl({ withQuery: 700 })],
      tooFew,
    ],
  ],
  [
    statusConsistencyCheck,
    [
      ['pass', 'none fails often', {}],
      [
        'warn',
        'some fail often',
        consistency(100, 3),
        { examples: worst, note: expect.stringContaining('the last seven days') },
      ],
      ['fail', 'many fail often', consistency(100, 20)],
      ['unknown', 'few pages', consistency(3, 0)],
    ],
  ],
  [
    crawlerDrop,
    [
      ['pass', 'as before', {}, { change_pct: 0 }],
      ['pass', 'more than before', crawl({ requests: 3_000 })],
      ['warn', 'a third less', crawl({ requests: 660 })],
      ['fail', 'nothing any more', crawl({ requests: 0 }), { change_pct: -100 }],
      ['unknown', 'the logs do not reach back', crawl({ requestsBefore: null })],
      ['unknown', 'few came before', crawl({ requestsBefore: 40, requests: 1 })],
    ],
  ],
]);

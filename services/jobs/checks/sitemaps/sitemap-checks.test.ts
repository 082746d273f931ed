import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import {
  answered,
  failed,
  logs,
  NOW,
  retrieval,
  sitemaps,
} from '../../../../test/harness/jobs/check-facts.js';
import { sitemapComplete } from './sitemap-complete.js';
import { sitemapCrawled } from './sitemap-crawled.js';
import { sitemapFound } from './sitemap-found.js';
import { sitemapLastmod } from './sitemap-lastmod.js';
import { sitemapUrlsAnswer } from './sitemap-urls-answer.js';
import { sitemapValid } from './sitemap-valid.js';

const of = (given: Parameters<typeof sitemaps>[0]) => ({ sitemaps: sitemaps(given) });
const kept = (...codes: string[]) =>
  codes.map((code) => ({ sitemap: 'https://example.com/a.xml', code, message: code }));
const moved = retrieval({ redirects: [{ url: 'https://example.com/old', status: 301 }] });

checkCases([
  [
    sitemapFound,
    [
      ['pass', 'it is read', {}, { outcome: 'ok', pages: 100 }],
      ['warn', 'there is none', of({ state: 'none' }), { outcome: 'missing' }],
      [
        'fail',
        'none can be read',
        of({ state: 'unreadable', problems: kept('dns', 'broken_xml') }),
        { outcome: 'invalid' },
      ],
      [
        'unknown',
        'the website does not answer',
        of({ state: 'unreadable', problems: kept('dns') }),
        { outcome: 'unreachable' },
      ],
      [
        'unknown',
        'it turns Loglane away',
        of({ state: 'unreadable', problems: kept('http_403') }),
        { outcome: 'blocked' },
      ],
    ],
  ],
  [
    sitemapValid,
    [
      ['pass', 'all of it is read', {}],
      [
        'fail',
        'a file fails',
        of({ failedFiles: 1, complete: false }),
        { outcome: 'partial', failed_files: 1 },
      ],
      [
        'unknown',
        'a file is kept from Loglane',
        of({ failedFiles: 1, problems: kept('http_429') }),
        { outcome: 'blocked' },
      ],
      ['warn', 'entries of other hosts', of({ foreignUrls: 2 }), { outcome: 'ok', foreign_urls: 2 }],
      [
        'warn',
        'there is more than is read',
        of({ complete: false, incompleteReason: 'too_many_urls' }),
        { reason: 'too_many_urls' },
      ],
      ['not_applicable', 'there is none', of({ state: 'none' })],
    ],
  ],
  [
    sitemapLastmod,
    [
      ['pass', 'pages say when they changed', {}, { with_lastmod: 2 }],
      ['pass', 'some pages do not say', of({ lastmods: [null, NOW - DAY_MS] })],
      ['warn', 'no page says', of({ lastmods: [null, null] }), { with_lastmod: 0 }],
      ['warn', 'nothing changed for a year', of({ lastmods: [NOW - 400 * DAY_MS] })],
      [
        'warn',
        'all pages say the moment at which the file was written',
        of({ lastmods: Array(25).fill(NOW - HOUR_MS) }),
      ],
      ['pass', 'a few pages changed at once', of({ lastmods: Array(5).fill(NOW - HOUR_MS) })],
      ['not_applicable', 'no page is listed', of({ lastmods: [] })],
    ],
  ],
  [
    sitemapUrlsAnswer,
    [
      ['pass', 'all answer', {}, { outcome: 'ok' }],
      [
        'pass',
        'those that can be judged answer',
        { listed: [retrieval(), answered(403)] },
        { outcome: 'partial' },
      ],
      ['fail', 'one is gone', { listed: [retrieval(), answered(404)] }, { outcome: 'missing' }],
      ['fail', 'one is a server error', { listed: [answered(500)] }, { outcome: 'server_error' }],
      ['warn', 'one redirects', { listed: [retrieval(), moved] }],
      [
        'unknown',
        'all turn Loglane away',
        { listed: [answered(429), answered(403)] },
        { outcome: 'blocked' },
      ],
      ['unknown', 'none answers', { listed: [failed('timeout')] }, { outcome: 'unreachable' }],
    ],
  ],
  [
    sitemapCrawled,
    [
      ['pass', 'nearly all are fetched', {}, { never_crawled_pct: 5 }],
      ['warn', 'most are not', of({ neverCrawled: 51 })],
      ['fail', 'hardly any is', of({ neverCrawled: 95 })],
      [
        'unknown',
        'hardly any is, in the first week of the logs',
        { ...of({ neverCrawled: 95 }), logs: logs({ since: NOW - 7 * DAY_MS }) },
        { outcome: 'partial' },
      ],
      ['pass', 'most are, in the first week of the logs', { logs: logs({ since: NOW - 7 * DAY_MS }) }],
      ['unknown', 'few are listed', of({ listed: 5 })],
      ['unknown', 'nothing is known of what is listed', of({ listed: null })],
      ['unknown', 'no search crawler came', { logs: logs({ crawl: { requests: 0 } }) }],
    ],
  ],
  [
    sitemapComplete,
    [
      ['pass', 'nearly all that is fetched is listed', {}],
      ['warn', 'much is not', of({ notInSitemap: 60 }), { fetched_pages: 155 }],
      ['unknown', 'little is fetched', of({ listed: 10, neverCrawled: 9, notInSitemap: 2 })],
      ['unknown', 'no fetch was complete', of({ notInSitemap: null })],
    ],
  ],
]);

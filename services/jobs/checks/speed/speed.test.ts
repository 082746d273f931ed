import { expect } from 'vitest';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { answered, failed, logs, page, retrieval } from '../../../../test/harness/jobs/check-facts.js';
import { assetCaching } from './asset-caching.js';
import { compression } from './compression.js';
import { conditionalRequests } from './conditional-requests.js';
import { crawlerResponseTime } from './crawler-response-time.js';
import { pageWeight } from './page-weight.js';
import { slowTemplates } from './slow-templates.js';
import { timeToFirstByte } from './time-to-first-byte.js';

const meanMs = (ms: number | null) => ({ logs: logs({ crawl: { meanMs: ms } }) });
const templates = (...ms: number[]) => ({
  logs: logs({
    crawl: {
      templates: ms.map((each) => ({
        pattern: `/${each}`,
        requests: 50,
        meanMs: 10,
        p75Ms: each,
        example: '/a',
      })),
    },
  }),
});
const advice = { outcome: 'ok', advisories: [expect.any(String)] };

checkCases([
  [
    crawlerResponseTime,
    [
      ['pass', 'fast', {}],
      ['warn', 'a second', meanMs(1_000), { mean_ms: 1_000 }],
      ['fail', 'three seconds', meanMs(3_000)],
      ['unknown', 'the logs tell no times', meanMs(null), { outcome: 'unconfirmed' }],
    ],
  ],
  [
    slowTemplates,
    [
      ['pass', 'all are fast', {}, { templates: [{ pattern: '/blog/{slug}' }] }],
      [
        'warn',
        'one is slow',
        templates(2_000, 100),
        { templates: [{ pattern: '/2000', p75_ms: 2_000, mean_ms: 10 }] },
      ],
      ['fail', 'one is very slow', templates(5_000, 2_000, 100), { templates: [{}, {}] }],
      ['unknown', 'too little is known', templates()],
    ],
  ],
  [
    timeToFirstByte,
    [
      ['pass', 'fast', {}, { milliseconds: 120 }],
      ['warn', 'a second', { home: retrieval({ headMs: 1_000 }) }],
      ['fail', 'two seconds', { home: retrieval({ headMs: 2_000 }) }],
      ['unknown', 'it turns Loglane away', { home: answered(403) }, { outcome: 'blocked' }],
      ['unknown', 'it does not answer', { home: failed('timeout') }, { outcome: 'unreachable' }],
    ],
  ],
  [
    pageWeight,
    [
      ['pass', 'light', {}],
      [
        'pass',
        'very light',
        { page: page({}, { bytes: 300 }) },
        { note: expect.stringContaining('less than 1 KiB') },
      ],
      ['warn', 'heavy', { page: page({}, { bytes: 600_000 }) }, { html_kib: 586 }],
      [
        'fail',
        'longer than is read',
        { page: page({}, { bytes: 2_097_152, isCut: true, outcome: 'partial' }) },
        { outcome: 'partial' },
      ],
    ],
  ],
  [
    compression,
    [
      ['pass', 'it is compressed', {}, { content_encoding: 'br' }],
      ['warn', 'it is not', { page: page({}, { headers: {} }) }, advice],
      ['not_applicable', 'it is short', { page: page({}, { headers: {}, bytes: 300 }) }],
    ],
  ],
  [
    conditionalRequests,
    [
      ['pass', '304', {}, { outcome: 'ok', status: 304 }],
      ['warn', 'it is sent whole', { again: retrieval() }, advice],
      ['warn', 'there is nothing to ask with', { again: retrieval({ headers: {} }) }, advice],
      ['unknown', 'an error', { again: answered(503) }, { outcome: 'server_error' }],
    ],
  ],
  [
    assetCaching,
    [
      ['pass', 'for a year', {}],
      [
        'warn',
        'for a minute',
        { asset: retrieval({ headers: { 'cache-control': 'max-age=60' } }) },
        { ...advice, cache_control: 'max-age=60' },
      ],
      ['warn', 'nothing is said', { asset: retrieval({ headers: {} }) }, { ...advice, cache_control: null }],
      [
        'warn',
        'not at all',
        { asset: retrieval({ headers: { 'cache-control': 'no-store, max-age=99999999' } }) },
        advice,
      ],
      ['not_applicable', 'the home page loads none', { asset: { none: true } }],
      ['unknown', 'it is not there', { asset: answered(404) }, { outcome: 'missing' }],
    ],
  ],
]);

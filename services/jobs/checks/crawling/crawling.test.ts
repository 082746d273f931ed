import { expect } from 'vitest';
import { checkCases } from '../cases.fixture.js';
import { html, page, robots } from '../facts.fixture.js';
import { robotsAiCrawlers } from './robots-ai-crawlers.js';
import { robotsAllowsAssets } from './robots-allows-assets.js';
import { robotsAllowsSearch } from './robots-allows-search.js';
import { robotsNamesSitemap } from './robots-names-sitemap.js';
import { robotsObeyed } from './robots-obeyed.js';
import { robotsReachable } from './robots-reachable.js';
import { robotsValid } from './robots-valid.js';

const says = (content: string) => ({ robots: robots({ content }) });
const notKnown = { robots: robots({ content: null, status: 'unreachable', violations: null }) };
const none = { robots: robots({ content: '', status: 'missing', httpStatus: 404 }) };

checkCases([
  [
    robotsReachable,
    [
      ['pass', 'it is there', {}, { outcome: 'ok', status: 200 }],
      ['warn', 'there is none', none, { outcome: 'missing', status: 404 }],
      [
        'fail',
        'a server error',
        { robots: robots({ status: 'server_error', httpStatus: 503 }) },
        { outcome: 'server_error', status: 503 },
      ],
      [
        'unknown',
        'it turns Loglane away',
        { robots: robots({ status: 'blocked', httpStatus: 403 }) },
        { outcome: 'blocked', status: 403 },
      ],
      [
        'unknown',
        'no answer',
        { robots: robots({ status: 'unreachable', httpStatus: null, problem: 'took too long' }) },
        { outcome: 'unreachable', status: null },
      ],
    ],
  ],
  [
    robotsValid,
    [
      ['pass', 'rules', {}, { outcome: 'ok', groups: 1 }],
      ['pass', 'comments alone', says('# nothing is disallowed\n')],
      ['not_applicable', 'there is none', none],
      [
        'fail',
        'a page in its place',
        says('<!DOCTYPE html><html><body>Welcome</body></html>'),
        { outcome: 'invalid' },
      ],
      ['warn', 'too long', { robots: robots({ isTruncated: true }) }, { outcome: 'partial' }],
      ['warn', 'no line that is known', says('Hello, crawlers\n'), { outcome: 'invalid' }],
      ['unknown', 'it is not known', notKnown, { outcome: 'unconfirmed' }],
    ],
  ],
  [
    robotsAllowsSearch,
    [
      ['pass', 'the home page is allowed', {}],
      ['pass', 'there is none', none],
      [
        'fail',
        'everybody is kept out',
        says('User-agent: *\nDisallow: /'),
        { rules: { Googlebot: 'Disallow: /', bingbot: 'Disallow: /' } },
      ],
      [
        'fail',
        'one search engine is kept out',
        says('User-agent: bingbot\nDisallow: /'),
        { rules: { bingbot: 'Disallow: /' } },
      ],
      [
        'pass',
        'others are kept out',
        says('User-agent: *\nDisallow: /\nUser-agent: Googlebot\nUser-agent: bingbot\nAllow: /'),
      ],
      ['unknown', 'it is not known', notKnown],
    ],
  ],
  [
    robotsAllowsAssets,
    [
      ['pass', 'they are allowed', {}, { assets: 2 }],
      [
        'warn',
        'scripts are disallowed',
        says('User-agent: *\nDisallow: /*.js'),
        { examples: ['https://example.com/a.js'] },
      ],
      [
        'not_applicable',
        'all are of other hosts',
        { page: page({ ...html(), assets: ['https://cdn.example.net/a.js', 'https://['] }) },
      ],
      ['unknown', 'it is not known', notKnown],
    ],
  ],
  [
    robotsAiCrawlers,
    [
      ['pass', 'all are allowed', {}, { disallowed_for_training: [] }],
      [
        'pass',
        'training alone is disallowed',
        says('User-agent: GPTBot\nDisallow: /'),
        { disallowed_for_training: ['GPTBot'], disallowed_for_answers: [] },
      ],
      [
        'warn',
        'answers are disallowed',
        says('User-agent: OAI-SearchBot\nDisallow: /'),
        { disallowed_for_answers: ['OAI-SearchBot'] },
      ],
      ['unknown', 'it is not known', notKnown],
    ],
  ],
  [
    robotsNamesSitemap,
    [
      ['pass', 'one is named', {}, { sitemaps: ['https://example.com/sitemap.xml'] }],
      [
        'warn',
        'none is named',
        says('User-agent: *\nDisallow:'),
        { outcome: 'ok', advisories: [expect.any(String)] },
      ],
      ['warn', 'by its path alone', says('Sitemap: /sitemap.xml')],
      ['not_applicable', 'there is no file', none],
      ['unknown', 'it is not known', notKnown],
    ],
  ],
  [
    robotsObeyed,
    [
      ['pass', 'nobody fetched what is disallowed', {}],
      [
        'warn',
        'somebody did',
        {
          robots: robots({
            violations: {
              total: 3,
              examples: [{ bot: 'SemrushBot', path: '/cart/', requests: 9, rule: 'Disallow: /cart/' }],
            },
          }),
        },
        { pairs: 3 },
      ],
      ['unknown', 'nothing was judged', notKnown],
    ],
  ],
]);

import { expect } from 'vitest';
import { DAY_MS } from '../../../../shared/durations.js';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { html, NOW, page, robots } from '../../../../test/harness/jobs/check-facts.js';
import type { RobotsFacts } from '../facts/facts.js';
import { robotsAiCrawlers } from './robots-ai-crawlers.js';
import { robotsAllowsAssets } from './robots-allows-assets.js';
import { robotsAllowsSearch } from './robots-allows-search.js';
import { robotsNamesSitemap } from './robots-names-sitemap.js';
import { robotsObeyed } from './robots-obeyed.js';
import { robotsReachable } from './robots-reachable.js';
import { robotsValid } from './robots-valid.js';

const says = (content: string) => ({ robots: robots({ content }) });
const notKnown = { robots: robots({ content: null, status: 'unreachable', violations: null }) };
const violations = (given: Partial<NonNullable<RobotsFacts['violations']>>) => ({
  robots: robots({
    violations: {
      ...{ total: 0, judgedSince: NOW - 7 * DAY_MS, isComplete: true, bots: [], examples: [] },
      ...given,
    },
  }),
});
const broken = {
  total: 1,
  bots: [{ bot: 'SemrushBot', requests: 9, paths: 1 }],
  examples: [{ bot: 'SemrushBot', path: '/cart/', requests: 9, rule: 'Disallow: /cart/' }],
};
/** Longer than the size limit of a robots.txt. */
const manyWildcards = `User-agent: *\n${Array.from({ length: 15_000 }, (_, at) => `Disallow: /*${'ab'.repeat(9)}${at}\n`).join('')}`;
/** Each crawler has its own groups, which are compiled for each. */
const manyGroups = `${['*', 'Googlebot', 'bingbot', 'OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Amazonbot', 'DuckAssistBot', 'GPTBot', 'ClaudeBot'].map((name) => `User-agent: ${name}\n`).join('')}${'Allow:/a\n'.repeat(50_000)}${['Claude-SearchBot', 'OAI-SearchBot', 'PerplexityBot', 'Amazonbot', 'GPTBot', 'ClaudeBot'].map((name) => `User-agent: ${name}\nDisallow: /x\n`).join('')}`;
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
      [
        'unknown',
        'it would take too long to tell',
        {
          ...says(manyWildcards),
          page: page({ assets: Array.from({ length: 50 }, () => `/${'a'.repeat(2_000)}`) }),
        },
        { outcome: 'partial', assets: 50, assets_not_judged: 50 },
      ],
      [
        'not_applicable',
        'all have addresses that are too long when they are percent-encoded',
        { page: page({ assets: [`/${'一'.repeat(2_000)}`] }) },
      ],
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
      ['unknown', 'it would take too long to tell', says(manyGroups), { outcome: 'partial' }],
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
      ['pass', 'nobody fetched what is disallowed', {}, { judged_since: '2026-11-15T03:00:00.000Z' }],
      ['warn', 'somebody did', violations({ ...broken }), { bots: [{ bot: 'SemrushBot', requests: 9 }] }],
      ['warn', 'somebody did at once', violations({ ...broken, judgedSince: NOW - 14_000 })],
      [
        'unknown',
        'it is known for seconds',
        violations({ judgedSince: NOW - 14_000 }),
        { outcome: 'unconfirmed' },
      ],
      [
        'unknown',
        'not everything could be judged',
        violations({ isComplete: false }),
        { outcome: 'partial' },
      ],
      ['unknown', 'nothing was judged', notKnown],
    ],
  ],
]);

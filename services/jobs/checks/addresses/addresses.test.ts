import { DAY_MS } from '../../../../shared/durations.js';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { answered, failed, html, NOW, page, retrieval } from '../../../../test/harness/jobs/check-facts.js';
import { canonicalHost } from './canonical-host.js';
import { certificateDays } from './certificate-days.js';
import { httpToHttps } from './http-to-https.js';
import { httpsAnswers } from './https-answers.js';
import { redirectHops } from './redirect-hops.js';
import { trailingSlash } from './trailing-slash.js';

const by = (...statuses: number[]) =>
  statuses.map((status, hop) => ({ url: `http://example.com/${hop}`, status }));
const overHttp = retrieval({ finalUrl: 'http://example.com/' });
const other = (given: Parameters<typeof retrieval>[0]) => ({ otherHost: retrieval(given) });
const blog = page({}, { finalUrl: 'https://example.com/blog' });
const twin = (given: Parameters<typeof retrieval>[0]) => ({
  slash: {
    page: blog,
    twin: retrieval({ finalUrl: 'https://example.com/blog/', html: html({ canonicals: [] }), ...given }),
  },
});

checkCases([
  [
    httpsAnswers,
    [
      ['pass', 'it answers', {}, { outcome: 'ok' }],
      ['pass', 'it turns Loglane away, over https', { home: answered(403) }],
      ['fail', 'the certificate is not valid', { home: failed('tls') }, { outcome: 'unreachable' }],
      ['fail', 'http alone answers', { home: failed('refused'), plain: overHttp }],
      ['fail', 'https leads to http', { home: overHttp }],
      [
        'unknown',
        'nothing answers',
        { home: failed('timeout'), plain: failed('timeout') },
        { outcome: 'unreachable' },
      ],
    ],
  ],
  [
    httpToHttps,
    [
      ['pass', 'by 301', {}],
      [
        'warn',
        'by 302',
        { plain: retrieval({ redirects: by(302) }) },
        { outcome: 'ok', advisories: ['Redirect with 301 or 308.'] },
      ],
      ['fail', 'http answers itself', { plain: overHttp }],
      ['not_applicable', 'nothing answers over http', { plain: failed('refused') }],
      [
        'unknown',
        'it turns Loglane away',
        { plain: answered(403, { finalUrl: 'http://example.com/' }) },
        { outcome: 'blocked' },
      ],
      ['unknown', 'it is no HTTP', { plain: failed('broken') }],
    ],
  ],
  [
    certificateDays,
    [
      ['pass', 'two months are left', {}, { days_left: 60 }],
      ['warn', 'ten days are left', { home: retrieval({ certificateUntil: NOW + 10 * DAY_MS }) }],
      ['fail', 'three days are left', { home: retrieval({ certificateUntil: NOW + 3 * DAY_MS }) }],
      [
        'unknown',
        'there is no certificate',
        { home: retrieval({ certificateUntil: null }) },
        { outcome: 'unconfirmed' },
      ],
    ],
  ],
  [
    canonicalHost,
    [
      ['pass', 'www leads to the apex', {}],
      ['warn', 'for now', other({ redirects: by(302) })],
      [
        'fail',
        'both answer',
        other({ finalUrl: 'https://www.example.com/' }),
        { home_url: 'https://example.com/' },
      ],
      ['warn', 'the certificate is for one alone', { otherHost: failed('tls') }],
      ['not_applicable', 'there is no such name', { otherHost: failed('dns') }],
      [
        'not_applicable',
        'the other name has no page',
        other({ finalUrl: 'https://www.example.com/', outcome: 'missing', status: 404 }),
      ],
      ['unknown', 'the other name does not answer in time', { otherHost: failed('timeout') }],
      ['unknown', 'the other name turns Loglane away', { otherHost: answered(429) }, { outcome: 'blocked' }],
      ['unknown', 'the home page does not answer', { home: failed('timeout') }],
    ],
  ],
  [
    redirectHops,
    [
      ['pass', 'one hop', {}, { hops: 1 }],
      ['warn', 'two hops', { plain: retrieval({ redirects: by(301, 301) }) }, { hops: 2 }],
      ['fail', 'four hops', { otherHost: retrieval({ redirects: by(301, 301, 301, 301) }) }],
      ['fail', 'no end', { plain: failed('too_many_redirects') }, { outcome: 'invalid' }],
      ['unknown', 'nothing answers', { home: failed('dns'), plain: failed('dns'), otherHost: failed('dns') }],
    ],
  ],
  [
    trailingSlash,
    [
      ['pass', 'the twin redirects', {}],
      ['pass', 'the twin is not there', { slash: { page: blog, twin: answered(404) } }],
      ['pass', 'the twin names the page as canonical', twin({ html: html({ canonicals: ['/blog'] }) })],
      ['warn', 'both answer', twin({}), { outcome: 'ok', page_url: 'https://example.com/blog' }],
      ['not_applicable', 'the twin is no page', twin({ html: null })],
      [
        'unknown',
        'it turns Loglane away',
        { slash: { page: blog, twin: answered(403) } },
        { outcome: 'blocked' },
      ],
      ['unknown', 'it does not answer', { slash: { page: blog, twin: failed('timeout') } }],
    ],
  ],
]);

import { describe, expect, test } from 'vitest';
import { inOneGo } from '../../../../test/harness/in-one-go.js';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { answered, failed, page, retrieval } from '../../../../test/harness/jobs/check-facts.js';
import type { HtmlPage } from '../facts/read-html.js';
import { readHtml } from '../facts/read-html.js';
import { canonicalLink } from './canonical-link.js';
import { faviconCheck } from './favicon.js';
import { homeIndexable } from './home-indexable.js';
import { hreflang } from './hreflang.js';
import { noindexOf } from './indexing.js';
import { lang } from './lang.js';
import { llmsTxt } from './llms-txt.js';
import { metaDescription } from './meta-description.js';
import { mixedContent } from './mixed-content.js';
import { pagesIndexable } from './pages-indexable.js';
import { structuredData } from './structured-data.js';
import { title } from './title.js';
import { viewport } from './viewport.js';

const of = (html: Partial<HtmlPage>) => ({ page: page(html) });
const metas = (...entries: [string, ...string[]][]) =>
  of({ metas: new Map(entries.map(([name, ...contents]) => [name, contents])) });
const canonicals = (...hrefs: string[]) => ({ pages: [page({ canonicals: hrefs })] });
const jsonLd = (...texts: string[]) => ({ pages: [page({ jsonLd: texts })] });
const alternates = (...pairs: [lang: string, href: string][]) =>
  of({ alternates: pairs.map(([language, href]) => ({ lang: language, href })) });
const HOME = 'https://example.com/';

checkCases([
  [
    homeIndexable,
    [
      ['pass', 'nothing forbids it', {}],
      [
        'fail',
        'by its HTML',
        metas(['robots', 'noindex, follow']),
        { found: ['<meta name="robots" content="noindex, follow">'] },
      ],
      [
        'fail',
        'by the header',
        { page: page({}, { robotsTags: ['googlebot: none'] }) },
        { found: ['X-Robots-Tag: googlebot: none'] },
      ],
    ],
  ],
  [
    pagesIndexable,
    [
      ['pass', 'nothing forbids it', {}],
      [
        'warn',
        'one forbids it',
        { pages: [page(), page({ metas: new Map([['googlebot', ['none']]]) })] },
        { examples: [{ url: HOME }] },
      ],
    ],
  ],
  [
    canonicalLink,
    [
      ['pass', 'it names itself', {}],
      ['pass', 'by its path', canonicals('/')],
      ['warn', 'none', canonicals()],
      ['warn', 'with http', canonicals('http://example.com/')],
      ['fail', 'several', canonicals('/a', '/b')],
      ['fail', 'another host', canonicals('https://staging.example.net/')],
      ['fail', 'no address', canonicals('https://[')],
      [
        'fail',
        'the home page in its place',
        { pages: [page({ canonicals: ['/'] }, { finalUrl: 'https://example.com/a' })] },
      ],
    ],
  ],
  [
    title,
    [
      ['pass', 'it has one', {}],
      ['fail', 'none', of({ title: null, titles: 0 })],
      ['fail', 'an empty one', of({ title: '' })],
      ['warn', 'two', of({ titles: 2 })],
      ['warn', 'a long one', of({ title: 'a'.repeat(70) })],
      ['warn', 'a short one', of({ title: 'Home' })],
    ],
  ],
  [
    metaDescription,
    [
      ['pass', 'it has one', {}],
      ['warn', 'none', metas()],
      ['warn', 'two', metas(['description', 'a', 'b'])],
      ['warn', 'a long one', metas(['description', 'a'.repeat(400)])],
    ],
  ],
  [
    viewport,
    [
      ['pass', 'it follows the phone', {}],
      ['warn', 'none', metas(), { viewport: null }],
      ['warn', 'a fixed width', metas(['viewport', 'width=1024'])],
    ],
  ],
  [
    lang,
    [
      ['pass', 'it says', {}, { lang: 'en' }],
      ['warn', 'it does not say', of({ lang: null })],
      ['warn', 'it is no language', of({ lang: 'english' })],
    ],
  ],
  [
    hreflang,
    [
      ['not_applicable', 'there are none', {}],
      [
        'pass',
        'all are right',
        alternates(['en', HOME], ['de-AT', 'https://example.com/de/'], ['x-default', HOME]),
      ],
      [
        'warn',
        'no language',
        alternates(['en', HOME], ['en-UK', 'https://example.com/uk/']),
        { advisories: ['No languages: en-UK.'] },
      ],
      ['warn', 'a path', alternates(['en', HOME], ['de', '/de/'])],
      ['warn', 'it does not name itself', alternates(['de', 'https://example.com/de/'])],
      ['warn', 'one twice', alternates(['en', HOME], ['en', 'https://example.com/en/'])],
    ],
  ],
  [
    structuredData,
    [
      ['pass', 'it can be read', {}, { types: ['Store'] }],
      [
        'pass',
        'a graph',
        jsonLd('{"@graph": [{"@type": ["Product", "Thing"]}, {"@type": "Offer"}]}'),
        { types: ['Product', 'Offer'] },
      ],
      ['fail', 'it is no JSON', jsonLd('{"@type": "Store",}'), { outcome: 'invalid', broken: 1 }],
      ['warn', 'it has no type', jsonLd('[{"name": "x"}]')],
      ['warn', 'it is a number', jsonLd('7')],
      [
        'pass',
        'a type that is called broken',
        jsonLd('{"@type": "broken"}'),
        { broken: 0, types: ['broken'] },
      ],
      ['pass', 'a type that is called untyped', jsonLd('{"@type": "untyped"}'), { types: ['untyped'] }],
      [
        'warn',
        'a type that is no text',
        jsonLd('{"@type": [{"toString": 1}]}'),
        { outcome: 'ok', broken: 0 },
      ],
      ['not_applicable', 'there is none', jsonLd()],
    ],
  ],
  [
    mixedContent,
    [
      ['pass', 'all over https', {}],
      ['warn', 'a picture over http', of({ insecure: ['http://example.com/a.png'] }), { parts: 1 }],
      [
        'not_applicable',
        'the page itself over http',
        { page: page({}, { finalUrl: 'http://example.com/' }) },
      ],
    ],
  ],
  [
    faviconCheck,
    [
      ['pass', 'it is there', {}],
      ['warn', 'it is not there', { favicon: answered(404) }, { outcome: 'missing' }],
      [
        'warn',
        'a page in its place',
        { favicon: retrieval({ html: inOneGo(readHtml('<html>')) }) },
        { outcome: 'invalid' },
      ],
      ['unknown', 'an error', { favicon: answered(500) }, { outcome: 'server_error' }],
    ],
  ],
  [
    llmsTxt,
    [
      ['pass', 'it can be read', {}],
      ['not_applicable', 'there is none', { llms: answered(404) }, { outcome: 'missing' }],
      [
        'warn',
        'a page in its place',
        { llms: retrieval({ html: inOneGo(readHtml('<html>')) }) },
        { outcome: 'invalid' },
      ],
      ['warn', 'no heading', { llms: retrieval({ text: 'Welcome' }) }],
      ['unknown', 'it does not answer', { llms: failed('timeout') }, { outcome: 'unreachable' }],
    ],
  ],
]);

describe('a rule against indexing', () => {
  test.each([
    ['noindex', true],
    ['max-image-preview: large, noindex', true],
    ['unavailable_after: Wed, 25 Jun 2031 15:00:00 PST, noindex', true],
    ['googlebot:noindex', true],
    ['*: noindex', true],
    ['otherbot: nofollow, max-snippet: 20, noindex', false],
    ['googlebot: max-image-preview: none', false],
    ['max-image-preview: none', false],
    ['googlebot: nofollow, noindex', true],
    ['otherbot: noindex', false],
    ['otherbot: noindex, bingbot: none', true],
    ['noarchive, max-snippet:20', false],
    ['', false],
  ])('X-Robots-Tag: %s', (header, isBarred) => {
    expect(noindexOf(page({}, { robotsTags: [header] })).length > 0).toBe(isBarred);
  });

  test('in a line of its own applies to every crawler, also after a line for another crawler', () => {
    const barred = page({}, { robotsTags: ['otherbot: noindex', 'noindex'] });
    expect(noindexOf(barred)).toEqual(['X-Robots-Tag: noindex']);
  });

  test('is not read from the value of another rule of a meta element', () => {
    const previews = page({ metas: new Map([['robots', ['index, max-image-preview: none']]]) });
    expect(noindexOf(previews)).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { growthOf, MOST_GROWTH } from '../../../../test/harness/growth.js';
import { inOneGo } from '../../../../test/harness/in-one-go.js';
import { readHtml } from './read-html.js';

test('reads the elements of the head', () => {
  const page = inOneGo(
    readHtml(`<!DOCTYPE html><!-- <title>no</title> --><HTML LANG=de-AT><head>
    <TITLE>Tee &amp; Kannen &#8211; B</TITLE><meta NAME='Description' content="a > b"><meta name=robots content=noindex>
    <link rel="canonical" href=/a><link href="/b.css" rel='preload stylesheet'><link rel="shortcut icon" href="/i.png">
    <link rel=alternate hreflang=en href="https://example.com/en"><script>if (a < b) document.write('<title>x</title>')</script>
    <script type="application/ld+json">{"a": "<b>"}</script></head><body><svg><title>drawing</title></svg>
    <img src="http://example.com/a.png"><a href="/c">c</a><script src=/d.js async></script></body>`),
  );
  expect(page).toEqual({
    lang: 'de-AT',
    title: 'Tee & Kannen – B',
    titles: 1,
    metas: new Map([
      ['description', ['a > b']],
      ['robots', ['noindex']],
    ]),
    canonicals: ['/a'],
    alternates: [{ lang: 'en', href: 'https://example.com/en' }],
    icons: ['/i.png'],
    jsonLd: ['{"a": "<b>"}'],
    assets: ['/b.css', '/d.js'],
    insecure: ['http://example.com/a.png'],
  });
});

test.each([
  '',
  '<',
  '</',
  '<!--',
  '<title>',
  '<a href="',
  '<a href',
  '<script>',
  '<meta name="__proto__" content="x"><meta name=constructor>',
  '<html lang>',
  '< p>&#xffffffff;&#0;&#xd800;',
  'İ<title>İİ</title>',
])('reads any text: %j', (text) => {
  expect(() => inOneGo(readHtml(text))).not.toThrow();
});

test('ignores elements that a browser with scripts does not load', () => {
  const page = inOneGo(
    readHtml(`<head><noscript><meta name=robots content=noindex><img src="http://example.com/a.png"></noscript>
    <template><link rel=canonical href=/a></template><textarea><script src=/b.js></script></textarea></head>
    <iframe src="http://example.com/c"><img src="http://example.com/d.png"></iframe>`),
  );
  expect(page).toMatchObject({ canonicals: [], assets: [], insecure: ['http://example.com/c'] });
  expect(page.metas.size).toBe(0);
});

test('characters that get longer in lower case shift nothing', () => {
  expect(inOneGo(readHtml(`${'İ'.repeat(50)}<title>Title</title>`)).title).toBe('Title');
});

test('every list is bounded', () => {
  const page = inOneGo(
    readHtml('<link rel=canonical href=/a><script src=/b></script><meta name=x content=y>'.repeat(5_000)),
  );
  expect([page.canonicals.length, page.assets.length, page.metas.get('x')?.length]).toEqual([50, 50, 50]);
});

/** A repeated part after a beginning. */
test.each([
  ['', '<'],
  ['', '</'],
  ['', '</a'],
  ['', '<a>'],
  ['', '<title>'],
  ['', '<script>'],
  ['', '<style></styl'],
  ['', '<!--'],
  ['', '<!'],
  ['', '<a href="'],
  ['<a ', 'a '],
  ['<a ', 'a="'],
  ['<a ', '= '],
  ['<a b', ' '],
  ['<a b="', '&#'],
  ['<a rel="', ' canonical'],
  ['<title>', '&amp;'],
  ['', '<meta name=a content=b>'],
  ['', '<link rel=alternate hreflang=a>'],
  ['', ' '],
])('takes time by the length of %j and %j again and again', (begin, repeat) => {
  const size = 32 * 1024;
  const text = (length: number) => begin + repeat.repeat(length / repeat.length);
  expect(growthOf(size, (length) => inOneGo(readHtml(text(length))))).toBeLessThan(MOST_GROWTH);
});

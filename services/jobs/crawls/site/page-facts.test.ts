import { expect, test } from 'vitest';
import { growthOf, MOST_GROWTH } from '../../../../test/harness/growth.js';
import { inOneGo } from '../../../../test/harness/in-one-go.js';
import { decodeHtml } from '../../html/decode-html.js';
import { MOST_LINKS, readPageFacts } from './page-facts.js';

test('reads the facts of a page', () => {
  const facts = inOneGo(
    readPageFacts(`<!doctype html><html lang="en-GB"><head>
    <title> Shoes &amp;
      boots </title><meta NAME="Description" content="All  shoes"><meta name=robots content="NOINDEX"><meta name=robots content=nofollow>
    <link rel="canonical" href=" /shoes "><link rel=canonical href=/other>
    <link rel=alternate hreflang=DE href=/de/><base href="/base/"></head>
    <body><h1>Our <b>sho</b>es</h1><h1>More</h1><script>var a = "one two <a href=/no>"</script>
    <p>one<p>two <svg><title>drawn</title></svg>
    <a href="/a" rel="ugc NoFollow">To <img alt="picture"> A</a> <a href=#top>up</a> <a>none</a> <a href=/unclosed>left`),
  );
  expect(facts).toMatchObject({
    lang: 'en-GB',
    title: 'Shoes & boots',
    titles: 1,
    description: 'All shoes',
    canonical: '/shoes',
    robots: 'noindex, nofollow',
    h1s: 2,
    h1: 'Our shoes',
    words: 10,
    hreflangs: [{ lang: 'de', href: '/de/' }],
    links: [
      { href: '/a', anchor: 'To picture A', nofollow: true },
      { href: '/unclosed', anchor: 'left', nofollow: false },
    ],
    base: '/base/',
    brokenOff: false,
  });
});

test('the digest depends on the words alone', () => {
  const digest = (html: string) => inOneGo(readPageFacts(html)).digest;
  expect(digest('<p class=a>one  two</p>')).toBe(digest('<div>one<br>two</div>'));
  expect(digest('<p>one two')).not.toBe(digest('<p>onetwo'));
});

test('an empty page and one that is no HTML have no facts', () => {
  expect(inOneGo(readPageFacts(''))).toMatchObject({ title: null, h1: null, words: 0, links: [] });
  expect(inOneGo(readPageFacts('\u0000<<<>>&#xFFFFFFFF;</p'))).toMatchObject({ title: null, links: [] });
});

test('returns a bounded number of links, and counts the others', () => {
  const { links, linksLeftOut } = inOneGo(readPageFacts('<a href=/x>x</a>'.repeat(MOST_LINKS + 5)));
  expect([links.length, linksLeftOut]).toEqual([MOST_LINKS, 5]);
});

test.each([
  ['<b>', '</i>'],
  ['<div>', ''],
  ['<a href=/x>', ''],
  ['<', ''],
  ['<a ', ''],
  ['<a b="', ''],
  ['&', ''],
  ['&#', ''],
  ['<!--', ''],
  ['<title>', ''],
  ['<p>', '</p>'],
  ['<svg>', '</math>'],
  ['<h1>x', '</div>'],
  ['x ', ''],
])('reading %s and then %s, again and again, takes time in proportion', (begin, end) => {
  const growth = growthOf(8_000, (size) => {
    inOneGo(readPageFacts(begin.repeat(size) + end.repeat(size)));
  });
  expect(growth).toBeLessThan(MOST_GROWTH);
});

test('decodes by the byte order mark, the header or the page itself, and otherwise as UTF-8', () => {
  const latin = Buffer.from('caf\xe9 <meta charset="iso-8859-1">', 'latin1');
  expect(decodeHtml(latin, null)).toContain('café');
  expect(decodeHtml(Buffer.from('caf\xe9', 'latin1'), 'text/html; charset="windows-1252"')).toBe('café');
  expect(decodeHtml(Buffer.from('\ufeffcafé'), 'text/html; charset=latin1')).toBe('café');
  expect(decodeHtml(Buffer.from('\ufeffcafé', 'utf16le'), null)).toBe('café');
  expect(decodeHtml(Buffer.from('café'), 'text/html; charset=none-such')).toBe('café');
});

test('a page is read in pieces, so no page blocks the process: 2 MiB of end tags below 1,000 elements take a second', () => {
  const steps = readPageFacts('<ab>'.repeat(999) + '</ac>'.repeat(200_000));
  let count = 0;
  while (steps.next().done !== true) count += 1;
  expect(count).toBeGreaterThan(60);
});

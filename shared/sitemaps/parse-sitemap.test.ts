import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createSitemapParser } from './parse-sitemap.js';
import { SitemapError } from './sitemap-error.js';
import type { ListedEntry } from './sitemap-parser.js';

function parse(...chunks: string[]) {
  const urls: ListedEntry[] = [];
  const sitemaps: string[] = [];
  let problem: string | null = null;
  const parser = createSitemapParser({
    onUrl: (entry) => urls.push(entry),
    onSitemap: (loc) => sitemaps.push(loc),
  });
  try {
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
  } catch (error) {
    if (!(error instanceof SitemapError)) throw error;
    problem = error.code;
  }
  return { urls, sitemaps, problem };
}

const locs = ({ urls }: ReturnType<typeof parse>) => urls.map(({ loc }) => loc);
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const urlset = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACE}>${inner}</urlset>`;

describe('documents of the protocol are read', () => {
  test('a urlset with dates, entities, CDATA and comments', () => {
    const text = urlset(`
      <url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-11-03</lastmod><priority>0.5</priority></url>
      <!-- <url><loc>https://example.com/hidden</loc></url> -->
      <url><loc><![CDATA[https://example.com/b]]></loc><lastmod>2026-11-03T10:00:00+02:00</lastmod></url>
      <url><loc>https://example.com/c</loc><lastmod>yesterday</lastmod></url>`);
    expect(parse(text)).toEqual({
      urls: [
        { loc: 'https://example.com/a?x=1&y=2', lastmod: Date.UTC(2026, 10, 3) },
        { loc: 'https://example.com/b', lastmod: Date.UTC(2026, 10, 3, 8) },
        { loc: 'https://example.com/c', lastmod: null },
      ],
      sitemaps: [],
      problem: null,
    });
  });

  test('the URLs of images, videos and other languages are not pages', () => {
    const text = urlset(`<url><loc>https://example.com/a</loc>
      <image:image><image:loc>https://example.com/a.jpg</image:loc></image:image>
      <video:video><video:content_loc>https://example.com/a.mp4</video:content_loc></video:video>
      <news:news><news:publication><news:name>N</news:name></news:publication></news:news>
      <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/a"/></url>`);
    expect(parse(text).problem).toBeNull();
    expect(locs(parse(text))).toEqual(['https://example.com/a']);
  });

  test('a document whose own namespace has a prefix', () => {
    const text = `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>https://example.com/a</s:loc><loc>https://example.com/other</loc></s:url></s:urlset>`;
    expect(locs(parse(text))).toEqual(['https://example.com/a']);
  });

  test('several URLs in one entry, each with the date after it', () => {
    const text = urlset(
      '<url><loc>https://example.com/a</loc><lastmod>2026-11-03</lastmod><loc>https://example.com/b</loc><loc>https://example.com/c</loc><lastmod>2026-11-04</lastmod></url>',
    );
    expect(parse(text).urls).toEqual([
      { loc: 'https://example.com/a', lastmod: Date.UTC(2026, 10, 3) },
      { loc: 'https://example.com/b', lastmod: null },
      { loc: 'https://example.com/c', lastmod: Date.UTC(2026, 10, 4) },
    ]);
  });

  test('an index lists files and no pages', () => {
    const text = `<sitemapindex ${NAMESPACE}><sitemap><loc>https://example.com/1.xml.gz</loc><lastmod>2026-11-03</lastmod></sitemap></sitemapindex>`;
    expect(parse(text)).toEqual({ urls: [], sitemaps: ['https://example.com/1.xml.gz'], problem: null });
  });

  test('RSS and Atom', () => {
    const rss = `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://example.com/</link>
      <item><atom:link href="https://example.com/feed"/><link>https://example.com/a</link><pubDate>Tue, 03 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>`;
    expect(parse(rss).urls).toEqual([{ loc: 'https://example.com/a', lastmod: Date.UTC(2026, 10, 3, 10) }]);
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/>
      <entry><link rel="enclosure" href="https://example.com/a.mp3"/><link href="https://example.com/a"/><updated>2026-11-03T10:00:00Z</updated></entry></feed>`;
    expect(parse(atom).urls).toEqual([{ loc: 'https://example.com/a', lastmod: Date.UTC(2026, 10, 3, 10) }]);
  });

  test('RSS whose items have a permalink and no link', () => {
    const rss = `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><item><guid>https://example.com/a</guid><dc:date>2026-11-03</dc:date></item>
      <item><guid isPermaLink="true"> https://example.com/b?x&amp;y </guid><dc:date>2026-11-01</dc:date><pubDate>Tue, 03 Nov 2026 10:00 EST</pubDate></item>
      <item><guid isPermaLink="false">tag:example.com,2026:3</guid></item>
      <item><guid ispermalink="false">https://example.com/id</guid></item>
      <item><guid>https://example.com/?p=4</guid><link>https://example.com/d</link></item>
      <item><link/><guid>https://example.com/e</guid></item></channel></rss>`;
    expect(parse(rss).urls).toEqual([
      { loc: 'https://example.com/a', lastmod: Date.UTC(2026, 10, 3) },
      { loc: 'https://example.com/b?x&y', lastmod: Date.UTC(2026, 10, 3, 15) },
      { loc: '', lastmod: null },
      { loc: '', lastmod: null },
      { loc: 'https://example.com/d', lastmod: null },
      { loc: 'https://example.com/e', lastmod: null },
    ]);
  });

  test('RSS 1.0, whose items are outside the channel', () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://example.com/"><link>https://example.com/</link><items><rdf:Seq><rdf:li resource="https://example.com/a"/></rdf:Seq></items></channel>
      <item rdf:about="https://example.com/a"><title>A</title><link>https://example.com/a</link><dc:date>2026-11-03T10:00:00+01:00</dc:date></item>
      <item rdf:about="https://example.com/b"><title>B</title></item></rdf:RDF>`;
    expect(parse(rdf)).toEqual({
      urls: [
        { loc: 'https://example.com/a', lastmod: Date.UTC(2026, 10, 3, 9) },
        { loc: 'https://example.com/b', lastmod: null },
      ],
      sitemaps: [],
      problem: null,
    });
  });

  test('plain text, with LF or CRLF line ends', () => {
    expect(locs(parse('https://example.com/a\r\n\r\nhttps://example.com/b\nhttps://example.com/c'))).toEqual([
      'https://example.com/a',
      'https://example.com/b',
      'https://example.com/c',
    ]);
  });

  test('an unescaped ampersand is read as written', () => {
    const read = parse(urlset('<url><loc>https://example.com/?a=1&b=2</loc></url>'));
    expect(read.problem).toBeNull();
    expect(locs(read)).toEqual(['https://example.com/?a=1&b=2']);
  });

  test.each([
    ['before the end of its element', '<loc>https://example.com/?a&</loc>', '?a&'],
    ['before a name without an end', '<loc>https://example.com/?a&amp</loc>', '?a&amp'],
    ['in CDATA', '<loc><![CDATA[https://example.com/?a&b]]></loc>', '?a&b'],
    ['that an entity follows', '<loc>https://example.com/?a&&amp;&#38;&#x26;</loc>', '?a&&&&'],
    ['of a name that objects have', '<loc>https://example.com/?a&constructor;</loc>', '?a&constructor;'],
  ])('an ampersand %s is read as written, for any split of the file', (_, loc, expected) => {
    const text = urlset(`<url>${loc}</url>`);
    for (let at = 1; at < text.length; at++) {
      const read = parse(text.slice(0, at), text.slice(at));
      expect([read.problem, ...locs(read)]).toEqual([null, `https://example.com/${expected}`]);
    }
  });
});

test.each(['& ', '&;', '&a;', '&amp', '&&', '<a b="&"/>'])(
  'a file of %s does not create an Error for each of them, which would dominate the cost',
  (repeat) => {
    const errors = vi.spyOn(globalThis, 'Error');
    try {
      expect(parse(urlset(`<x>${repeat.repeat(2_000)}</x>`)).problem).toBeNull();
      expect(errors).not.toHaveBeenCalled();
    } finally {
      errors.mockRestore();
    }
  },
);

test('numeric entities of invalid characters are read as written, and a file of them is refused', () => {
  const few = parse(urlset('<url><loc>https://example.com/&#0;</loc></url>'));
  expect([few.problem, ...locs(few)]).toEqual([null, 'https://example.com/&#0;']);
  expect(parse(urlset(`<x>${'&#0;'.repeat(2_000)}</x>`)).problem).toBe('broken_xml');
});

test('the split of a file into chunks has no effect', () => {
  const entry = fc.record({ path: fc.webPath(), day: fc.integer({ min: 1, max: 28 }) });
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 20 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      (entries, sizes) => {
        const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        const text = urlset(
          entries
            .map(
              ({ path, day }) =>
                `<url><loc>https://example.com${escaped(path)}</loc><lastmod>2026-11-${String(day).padStart(2, '0')}</lastmod></url>`,
            )
            .join('\n'),
        );
        const chunks: string[] = [];
        for (let at = 0; at < text.length; ) {
          const size = sizes.next().value as number;
          chunks.push(text.slice(at, at + size));
          at += size;
        }
        expect(parse(...chunks)).toEqual({
          urls: entries.map(({ path, day }) => ({
            loc: `https://example.com${path}`,
            lastmod: Date.UTC(2026, 10, day),
          })),
          sitemaps: [],
          problem: null,
        });
      },
    ),
  );
});

test('any input is read, or refused with an error code', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '<',
          '>',
          '</',
          'urlset',
          'url',
          'loc',
          '&',
          ';',
          '"',
          "'",
          '=',
          '<!',
          '--',
          '[',
          ']]>',
          '?',
          ' ',
          'x',
        ),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(fc.property(text, text, (one, other) => void parse(`<${one}`, other)));
});

describe('hostile files', () => {
  test('entities that the file defines are not expanded', () => {
    const levels = Array.from({ length: 9 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`);
    const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol0 "lol">${levels.join('')}]><urlset ${NAMESPACE}><url><loc>https://example.com/&lol9;</loc></url></urlset>`;
    expect(locs(parse(bomb))).toEqual(['https://example.com/&lol9;']);
  });

  test('an external entity is not read', () => {
    const text = `<!DOCTYPE u [<!ENTITY passwd SYSTEM "file:///etc/passwd">]><urlset><url><loc>https://example.com/&passwd;</loc></url></urlset>`;
    expect(locs(parse(text))).toEqual(['https://example.com/&passwd;']);
  });

  test('endless nesting is refused at a maximum depth', () => {
    const read = parse(`<urlset>${'<url>'.repeat(100)}`);
    expect(read.problem).toBe('nested_too_deep');
  });

  test('endless names, values, comments and attributes are refused', () => {
    const long = 'x'.repeat(200_000);
    const chunks = (text: string) => text.match(/.{1,10000}/g)!;
    for (const text of [
      `<${long}`,
      `<urlset ${long}`,
      `<urlset a="${long}`,
      `<urlset><!--${long}`,
      `<!DOCTYPE ${long}`,
      `<urlset ${Array.from({ length: 200 }, (_, n) => `a${n}="1"`).join(' ')}>`,
    ])
      expect([text.slice(0, 20), parse(...chunks(text)).problem]).toEqual([text.slice(0, 20), 'broken_xml']);
  });

  test('an endless location is cut, and reported as an invalid URL', () => {
    const read = parse(
      '<urlset><url><loc>https://example.com/',
      ...Array.from({ length: 200 }, () => 'x'.repeat(10_000)),
      '</loc></url></urlset>',
    );
    expect(read.problem).toBeNull();
    expect(read.urls[0]!.loc.length).toBeGreaterThan(2_048);
    expect(read.urls[0]!.loc.length).toBeLessThan(200_000);
    const text = parse(
      'https://example.com/a\n',
      'https://example.com/',
      ...Array.from({ length: 200 }, () => 'x'.repeat(10_000)),
      '\nhttps://example.com/b',
    );
    expect(text.urls.map(({ loc }) => loc.length > 2_048)).toEqual([false, true, false]);
    expect(text.urls[1]!.loc.length).toBeLessThan(3_000);
  });

  test('XML that breaks in the middle yields the entries before the error', () => {
    const read = parse(
      '<urlset><url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b</url></urlset>',
    );
    expect(read.problem).toBe('broken_xml');
    expect(locs(read)).toEqual(['https://example.com/a']);
    expect(parse('<urlset><url><loc>https://example.com/a</loc></url><url><lo')).toMatchObject({
      problem: 'broken_xml',
    });
  });

  test.each([
    ['a page', '<!doctype html><html><body>Not found</body></html>'],
    ['JSON', '{"urls": []}'],
    ['nothing', ''],
    ['white space', ' \n '],
    ['an error message', 'Internal Server Error'],
  ])('%s is not a sitemap', (_, text) => {
    expect(parse(text).problem).toMatch(/^not_a_sitemap$|^broken_xml$/);
  });

  test('attributes named like methods are refused or read, and cause no other error', () => {
    for (const name of ['hasOwnProperty', '__proto__', 'constructor'])
      expect(() =>
        parse(`<urlset ${name}="1" b="2"><url><loc>https://example.com/a</loc></url></urlset>`),
      ).not.toThrow();
  });
});

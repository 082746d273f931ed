/**
 * The cases of crawler-commons' sitemap tests (SiteMapParserTest, SiteMapParserExtensionTest, AbstractSiteMapTest; Apache License 2.0), in our own
 * documents: what a file is like, and what it lists. Cases of names and media types, which we do not look at, and of gzip are left out.
 */

export interface PeerCase {
  readonly document: string;
  /** URLs of pages, in order; an entry with a date is followed by it. */
  readonly urls?: readonly (string | readonly [url: string, lastmod: string | null])[];
  readonly sitemaps?: readonly string[];
  /** The file is refused. */
  readonly refused?: boolean;
  /** Why the right answer is another one here; then the case fails. */
  readonly differs?: string;
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const urlset = (inner: string, attributes = NAMESPACE) => `${XML}<urlset ${attributes}>${inner}</urlset>`;
const index = (inner: string) => `${XML}<sitemapindex ${NAMESPACE}>${inner}</sitemapindex>`;
const S = 'https://shop.example';

const five = `
  <url><loc>${S}/</loc><lastmod>2025-01-01</lastmod><changefreq>monthly</changefreq><priority>0.8</priority></url>
  <url><loc>${S}/list?of=tents&amp;page=12</loc><changefreq>weekly</changefreq></url>
  <url><loc>${S}/list?of=mats&amp;page=73</loc><lastmod>2024-12-23</lastmod></url>
  <url><loc>${S}/list?of=stoves&amp;page=74</loc><lastmod>2024-12-23T18:00:15&#43;00:00</lastmod><priority>0.3</priority></url>
  <url><loc>${S}/list?of=boots&amp;page=83</loc><lastmod>2024-11-23</lastmod></url>`;
const fiveUrls = [
  [`${S}/`, '2025-01-01'],
  [`${S}/list?of=tents&page=12`, null],
  [`${S}/list?of=mats&page=73`, '2024-12-23'],
  [`${S}/list?of=stoves&page=74`, '2024-12-23T18:00:15Z'],
  [`${S}/list?of=boots&page=83`, '2024-11-23'],
] as const;

const rss = (items: string) =>
  `${XML}<rss version="2.0"><channel><title>News</title><link>${S}/feed</link><pubDate>Thu, 05 Jan 2017 12:34:50 GMT</pubDate>${items}</channel></rss>`;
const dated = (date: string) => rss(`<item><title>A</title><link>${S}/a</link>${date}</item>`);
const extended = (inner: string, prefix: string) =>
  urlset(`<url><loc>${S}/a</loc>${inner}</url><url><loc>${S}/b</loc></url>`, `${NAMESPACE} ${prefix}`);
const two = [`${S}/a`, `${S}/b`];

export const peerCases: Readonly<Record<string, PeerCase>> = {
  'an index with character data, entities and both in an address': {
    document:
      index(`<sitemap><loc>${S}/1.xml.gz</loc><lastmod><![CDATA[2024-10-01T18:23:17+00:00]]></lastmod></sitemap>
      <sitemap><loc>${S}/2.xml.gz</loc><lastmod>2025-01-01</lastmod></sitemap>
      <sitemap><loc>${S}/map?date=now&amp;all=true</loc></sitemap>
      <sitemap><loc>${S}/map<![CDATA[?date=last&all=false]]></loc></sitemap>`),
    sitemaps: [
      `${S}/1.xml.gz`,
      `${S}/2.xml.gz`,
      `${S}/map?date=now&all=true`,
      `${S}/map?date=last&all=false`,
    ],
  },
  'an external entity is not read': {
    document: `${XML}<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/hostname">]><urlset ${NAMESPACE}><url><loc>${S}/a</loc></url><url><loc>&x;</loc></url></urlset>`,
    urls: [`${S}/a`],
  },
  'an inclusion is not read': {
    document: urlset(
      `<url><loc>${S}/a</loc></url><url><loc><xi:include href="file:///etc/hostname" parse="text"/></loc></url>`,
      `${NAMESPACE} xmlns:xi="http://www.w3.org/2001/XInclude"`,
    ),
    urls: [`${S}/a`],
  },
  'a prefix of the namespace': {
    document: `${XML}<sit:urlset xmlns:sit="http://www.sitemaps.org/schemas/sitemap/0.9"><sit:url><sit:loc>${S}/a</sit:loc></sit:url><sit:url><sit:loc>${S}/b</sit:loc></sit:url></sit:urlset>`,
    urls: two,
  },
  'another namespace': {
    document: urlset(
      `<url><loc>${S}/a</loc></url><url><loc>\n\t${S}/b\n\t</loc></url>`,
      'xmlns="http://www.google.com/schemas/sitemap/0.9"',
    ),
    urls: two,
  },
  'plain text': {
    document: `${S}/list?item=1\n${S}/list?item=11`,
    urls: [`${S}/list?item=1`, `${S}/list?item=11`],
  },
  'plain text behind a byte order mark': { document: `\ufeff${S}/a\r\n${S}/b\r\n`, urls: two },
  'five pages with dates': { document: urlset(five), urls: fiveUrls },
  'a byte order mark and white space before the declaration': {
    document: `\ufeff\n \t\r\n${urlset(five)}`,
    urls: fiveUrls,
  },
  'tags that do not match': {
    document: urlset(`<url></url><url><loc>${S}/a</loc></url></url>`),
    refused: true,
  },
  'addresses of an index without a loc': {
    document: index(
      `<sitemap>\n${S}/map.jss?code=10260&amp;lang=en\n</sitemap><sitemap>\n${S}/map.jss?code=2&amp;lang=en\n</sitemap>`,
    ),
    sitemaps: [`${S}/map.jss?code=10260&lang=en`, `${S}/map.jss?code=2&lang=en`],
    differs: 'The protocol wants a loc, and search engines read no address without one.',
  },
  'two addresses in one entry of an index': {
    document: index(`<sitemap><loc>${S}/1.xml</loc><loc>${S}/2.xml</loc></sitemap>`),
    sitemaps: [`${S}/1.xml`, `${S}/2.xml`],
  },
  'three addresses and two dates in one entry of an index': {
    document: index(
      `<sitemap><loc>${S}/1.xml</loc><lastmod>2024-10-01</lastmod><loc>${S}/2.xml</loc><loc>${S}/3.xml</loc><lastmod>2025-11-02</lastmod></sitemap>`,
    ),
    sitemaps: [`${S}/1.xml`, `${S}/2.xml`, `${S}/3.xml`],
  },
  'spaces of Unicode around an address': {
    document: index(
      `<sitemap><loc>\n <![CDATA[ ${S}/1.xml ]]>\n</loc></sitemap><sitemap><loc>\n<![CDATA[\u00a0${S}/2.xml ]]> \u2000\n</loc></sitemap>`,
    ),
    sitemaps: [`${S}/1.xml`, `${S}/2.xml`],
  },
  'a sentence': { document: 'this is a bogus sitemap', refused: true },
  'a page outside the directory of the sitemap': {
    document: urlset(`<url><loc>${S}/</loc></url>`),
    urls: [`${S}/`],
  },
  'an Atom feed: the first link of an entry that is for readers': {
    document: `${XML}<feed xmlns="http://www.w3.org/2005/Atom"><link href="${S}/feed/" rel="self"/><link href="${S}/"/><updated>2003-12-13T18:30:02Z</updated>
      <entry><title>A</title><link href="${S}/a"/><link rel="alternate" type="text/html" href="${S}/a.html"/><link rel="edit" href="${S}/a/edit"/><id>urn:uuid:1</id>
      <updated>2003-12-13T18:30:02Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Text</p></div></content></entry></feed>`,
    urls: [[`${S}/a`, '2003-12-13T18:30:02Z']],
  },
  'RSS: a link': {
    document: rss(
      `<item><link>${S}/a</link><guid isPermaLink="false">7bd204c6</guid><pubDate>Sun, 06 Sep 2009 16:20:00 +0000</pubDate></item>`,
    ),
    urls: [[`${S}/a`, '2009-09-06T16:20:00Z']],
  },
  'RSS: an address as guid that says that it is none': {
    document: rss(`<item><guid isPermaLink="false">${S}/a</guid></item>`),
    urls: [`${S}/a`],
    differs: 'RSS 2.0: then the guid must not be taken for an address.',
  },
  'RSS: entities and character data in a link': {
    document: rss(
      `<item><link>${S}/a?q=a&amp;l=en</link></item><item><link>${S}/a<![CDATA[?q=a&l=fr]]></link></item>`,
    ),
    urls: [`${S}/a?q=a&l=en`, `${S}/a?q=a&l=fr`],
  },
  'RSS 1.0: the link of an item, not of the channel or its image': {
    document: `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="${S}/n.rss"><link>${S}/</link>
      <image rdf:resource="${S}/i.gif"/><items><rdf:Seq><rdf:li resource="${S}/a"/><rdf:li resource="${S}/z"/></rdf:Seq></items></channel>
      <image rdf:about="${S}/i.gif"><link>${S}/</link><url>${S}/i.gif</url></image><item rdf:about="${S}/a"><title>A</title><link>${S}/a</link></item></rdf:RDF>`,
    urls: [`${S}/a`],
  },
  'RSS: a date with an offset': {
    document: dated('<pubDate>Thu, 05 Jan 2017 13:34:51 +0100</pubDate>'),
    urls: [[`${S}/a`, '2017-01-05T12:34:51Z']],
  },
  'RSS: a date with a year of two digits': {
    document: dated('<pubDate>Thu, 05 Jan 17 13:34:52 +0100</pubDate>'),
    urls: [[`${S}/a`, '2017-01-05T12:34:52Z']],
  },
  'RSS: a date without a weekday': {
    document: dated('<pubDate>05 Jan 2017 13:34:53 +0100</pubDate>'),
    urls: [[`${S}/a`, '2017-01-05T12:34:53Z']],
  },
  'RSS: a date without a weekday, with a year of two digits': {
    document: dated('<pubDate>05 Jan 17 13:34:54 +0100</pubDate>'),
    urls: [[`${S}/a`, '2017-01-05T12:34:54Z']],
  },
  'RSS: a date without an offset is none': {
    document: dated('<pubDate>05 Jan 17 13:34:55</pubDate>'),
    urls: [[`${S}/a`, null]],
    differs: 'A date without an offset is of UTC, here as in sitemaps.',
  },
  'RSS: an empty date': { document: dated('<pubDate></pubDate>'), urls: [[`${S}/a`, null]] },
  'RSS: no date': { document: dated(''), urls: [[`${S}/a`, null]] },
  'a file that ends in the address of a page': {
    document: `${XML}<urlset ${NAMESPACE}><url><loc>${S}/a</lo`,
    urls: [`${S}/a`],
    differs: 'Where the file ends within an address, the address may be cut off.',
  },
  'a file that ends behind an address of an index': {
    document: `${XML}<sitemapindex ${NAMESPACE}><sitemap><loc>${S}/1.xml.gz</loc><las`,
    sitemaps: [`${S}/1.xml.gz`],
    differs: 'An entry that does not end is not listed; the file is reported as broken.',
  },
  'an element within an address': {
    document: urlset(`<url><loc><url><![CDATA[${S}/a]]></url></loc><lastmod>2015-04-28</lastmod></url>`),
    urls: [[`${S}/a`, '2015-04-28']],
  },
  'the extension for images': {
    document: extended(
      `<image:image><image:loc>${S}/a.jpg</image:loc></image:image><image:image><image:loc>${S}/b.jpg</image:loc></image:image>`,
      'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"',
    ),
    urls: two,
  },
  'the extension for videos': {
    document: extended(
      `<video:video><video:thumbnail_loc>${S}/t.jpg</video:thumbnail_loc><video:content_loc>${S}/v.flv</video:content_loc><video:player_loc>${S}/p.swf</video:player_loc></video:video>`,
      'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"',
    ),
    urls: two,
  },
  'the extension for news': {
    document: extended(
      `<news:news><news:publication><news:name>N</news:name></news:publication><news:publication_date>2008-12-23</news:publication_date></news:news>`,
      'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"',
    ),
    urls: two,
  },
  'the extension for other languages': {
    document: extended(
      `<xhtml:link rel="alternate" hreflang="de" href="${S}/de/a"/><xhtml:link rel="alternate" hreflang="en" href="${S}/a"/>`,
      'xmlns:xhtml="http://www.w3.org/1999/xhtml"',
    ),
    urls: two,
  },
  'the extension for phones': {
    document: extended('<mobile:mobile/>', 'xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"'),
    urls: two,
  },
  'page maps': {
    document: extended(
      '<PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"><DataObject type="document"><Attribute name="title" value="T"/></DataObject></PageMap>',
      '',
    ),
    urls: two,
  },
};

/** Texts of dates, and the instant of each. */
export const peerDates: Readonly<Record<string, string | null>> = {
  blah: null,
  '2014': '2014-01-01T00:00:00Z',
  '2014-06': '2014-06-01T00:00:00Z',
  '2014-06-03': '2014-06-03T00:00:00Z',
  '2014-06-03T10:30+00:00': '2014-06-03T10:30:00Z',
  '2014-06-03T10:30:45+00:00': '2014-06-03T10:30:45Z',
  '2014-06-03T10:30:45-05:00': '2014-06-03T15:30:45Z',
  '2014-06-03T10:30:45.82+00:00': '2014-06-03T10:30:45.820Z',
  '1997-07-16T19:20+01:00': '1997-07-16T18:20:00Z',
  '1997-07-16T19:20:30+01:00': '1997-07-16T18:20:30Z',
  '1997-07-16T19:20:30.45+01:00': '1997-07-16T18:20:30.450Z',
  '1994-11-05T13:15:30Z': '1994-11-05T13:15:30Z',
  '1994-11-05T08:15:30-05:00': '1994-11-05T13:15:30Z',
  'Thu, 05 Jan 2017 12:34:50 GMT': '2017-01-05T12:34:50Z',
  '05 Jan 2017 11:34:52 -0100': '2017-01-05T12:34:52Z',
  '05 Jan 17 12:34:53 GMT': '2017-01-05T12:34:53Z',
  'Thu, 05 Jan 17 12:34:54 GMT': '2017-01-05T12:34:54Z',
  incorrect: null,
};

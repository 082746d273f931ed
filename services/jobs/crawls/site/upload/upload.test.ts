import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClickHouseWriter, InsertOptions } from '../../../../../shared/store/client.js';
import { runs } from '../../../../../test/harness/runs.js';
import { storeUpload } from './store-upload.js';

const crawl = { websiteId: 'w', crawlId: '20261123T040000_aaaaaaaa', domain: 'shop.example' };

/** Stores the upload. @returns the inserted rows by table */
async function store(pages: string | Buffer, links: string | null = null) {
  const tables = new Map<string, Record<string, unknown>[]>();
  const writer = {
    async insert({ table, rows }: InsertOptions) {
      const parsed = rows
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      tables.set(table, [...(tables.get(table) ?? []), ...parsed]);
    },
  } as unknown as ClickHouseWriter;
  const open = (text: string | Buffer) => async () => Readable.from([Buffer.from(text)]);
  const stored = await storeUpload(
    crawl,
    { pages: open(pages), links: links === null ? null : open(links) },
    { writer, at: 1_000 },
    new AbortController().signal,
  );
  const rows = (table: string) => tables.get(table) ?? [];
  return { stored, pages: rows('crawl_pages'), ranks: rows('crawl_ranks'), links: rows('crawl_links') };
}

const frog = `"Address","Content Type","Status Code","Status","Indexability","Indexability Status","Title 1","Title 1 Length","Meta Description 1","H1-1","H1-2","Meta Robots 1","X-Robots-Tag 1","Canonical Link Element 1","Size (Bytes)","Word Count","Crawl Depth","Inlinks","Unique Inlinks","Outlinks","Unique Outlinks","External Outlinks","Unique External Outlinks","Hash","Response Time","Redirect URL"
"https://shop.example/","text/html; charset=utf-8","200","OK","Indexable","","Shop, ""the"" best","10","All of it","Shop","Second","","","https://shop.example/","12345","1,234","0","9","4","30","12","3","2","abc","0.123",""
"https://www.shop.example/old","text/html","301","Moved Permanently","Non-Indexable","Redirected","","0","","","","","","","0","0","1","2","2","0","0","0","0","","0.05","https://shop.example/"
"https://shop.example/gone?x=1","text/html","404","Not Found","Non-Indexable","Client Error","Gone","4","","","","","","","10","2","2","1","1","0","0","0","0","","0.01",""
"https://shop.example/private","","0","Blocked by robots.txt","Non-Indexable","Blocked by Robots.txt","","0","","","","","","","0","0","2","1","1","0","0","0","0","","",""
"https://shop.example/hidden","text/html","200","OK","Non-Indexable","noindex","Hidden","6","","","","noindex, follow","","","10","2","2","1","1","0","0","0","0","","0.2",""
"https://shop.example/twin","text/html","200","OK","Non-Indexable","Canonicalised","Twin","4","","","","","","https://shop.example/","10","2","2","1","1","0","0","0","0","","0.2",""
"https://elsewhere.example/","text/html","200","OK","Indexable","","Other","5","","","","","","","10","2","2","1","1","0","0","0","0","","0.2",""
`;

test("Screaming Frog's internal tab is stored page by page, with its reasons, depths and links", async () => {
  const { stored, pages, ranks } = await store(`\ufeff${frog}`);
  expect(stored).toEqual({ pages: 6, leftOut: 1, ranks: 'lines', withoutData: new Set(['hreflang_issues']) });
  expect(pages.map(({ path, status, unindexable_reason }) => [path, status, unindexable_reason])).toEqual([
    ['/', 200, ''],
    ['/old', 301, 'redirect'],
    ['/gone', 404, 'status'],
    ['/private', 0, 'robots'],
    ['/hidden', 200, 'noindex'],
    ['/twin', 200, 'canonical'],
  ]);
  expect(pages[0]).toMatchObject({
    ...{ page: 0, url: 'https://shop.example/', title: 'Shop, "the" best', titles: 1, h1: 'Shop', h1s: 2 },
    ...{ bytes: 12_345, words: 1_234, ms: 123, links_internal: 12, links_external: 2, indexable: true },
    ...{ found_by: 'upload', digest: 'abc', canonical: 'https://shop.example/' },
  });
  expect(pages[1]).toMatchObject({ redirect_to: 'https://shop.example/', robots_allowed: true });
  expect(pages[2]).toMatchObject({ url: 'https://shop.example/gone?x=1' });
  expect(pages[3]).toMatchObject({ robots_allowed: false, error: 'no_response' });
  expect(ranks[0]).toMatchObject({ page: 0, depth: 0, inlinks: 4, outlinks: 12 });
  expect(ranks[2]).toMatchObject({ page: 2, depth: 2, inlinks: 1 });
});

test('a canonical in another spelling is the page itself', async () => {
  const head = 'Address,Content Type,Status Code,Indexability,Canonical Link Element 1';
  const line = (url: string, canonical: string, indexability = 'Indexable') =>
    `${url},text/html,200,${indexability},${canonical}`;
  const site = 'https://shop.example';
  const { pages } = await store(
    [
      head,
      line(`${site}/%D0%BF/`, `${site}/%d0%bf/`),
      line(`${site}/a~b`, `${site}/a%7Eb`),
      line(`${site}/up`, 'https://SHOP.example:443/up#top'),
      line(`${site}/é?q=ü`, `${site}/%c3%a9?q=%c3%bc`),
      line(`${site}/plain`, `http://shop.example/plain`, 'Non-Indexable'),
      line(`${site}/slash`, `${site}/slash/`, 'Non-Indexable'),
      line(`${site}/q`, `${site}/q?a=1`, 'Non-Indexable'),
    ].join('\n'),
  );
  expect(pages.map(({ url, unindexable_reason }) => [url, unindexable_reason])).toEqual([
    [`${site}/%D0%BF/`, ''],
    [`${site}/a~b`, ''],
    [`${site}/up`, ''],
    [`${site}/%C3%A9?q=%C3%BC`, ''],
    [`${site}/plain`, 'canonical'],
    [`${site}/slash`, 'canonical'],
    [`${site}/q`, 'canonical'],
  ]);
});

test('redirects and canonicals join pages of the upload', async () => {
  const { links } = await store(
    `${frog}"https://shop.example/far","text/html","302","Found","Non-Indexable","Redirected","","0","","","","","","","0","0","2","1","1","0","0","0","0","","0.05","https://elsewhere.example/"\n`,
  );
  expect(links.map(({ from_page, to_page, kind }) => [from_page, to_page, kind])).toEqual([
    [1, 0, 'redirect'],
    [5, 0, 'canonical'],
  ]);
});

test("Sitebulb's list of URLs is stored, in UTF-16 with tabs too", async () => {
  const table =
    'URL;HTTP Status Code;Content Type;Indexable;Title;Crawl Depth;No. Internal Linking URLs;TTFB (ms)\nhttps://shop.example/a;200;HTML;Yes;Ä;1;7;80\nhttps://shop.example/b;200;HTML;No;B;;0;90\n';
  const semicolons = await store(table);
  // Findings without a column are left out.
  expect([...semicolons.stored.withoutData].sort()).toEqual([
    ...['duplicate_descriptions', 'hreflang_issues', 'large_pages', 'missing_descriptions', 'missing_h1'],
    ...['multiple_h1', 'thin_pages'],
  ]);
  expect(semicolons.pages).toMatchObject([
    { path: '/a', title: 'Ä', ms: 80, indexable: true },
    { path: '/b', indexable: false },
  ]);
  expect(semicolons.ranks).toMatchObject([
    { depth: 1, inlinks: 7 },
    { depth: -1, inlinks: 0 },
  ]);
  const utf16 = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from(table.replaceAll(';', '\t'), 'utf16le'),
  ]);
  expect((await store(utf16)).pages).toEqual(semicolons.pages);
});

test.each([
  ['max-image-preview:none', '', ''],
  ['', 'otherbot: noindex', ''],
  ['follow, noindex', '', 'noindex'],
  ['', 'NONE', 'noindex'],
])(
  'with Meta Robots %j and X-Robots-Tag %j the reason against indexing is %j',
  async (meta, header, reason) => {
    const { pages } = await store(
      `Address,Status Code,Meta Robots 1,X-Robots-Tag 1\nhttps://shop.example/,200,"${meta}","${header}"\n`,
    );
    expect(pages).toMatchObject([{ unindexable_reason: reason, indexable: reason === '' }]);
  },
);

test('a list of URLs is stored as pages without further facts', async () => {
  const { stored, pages } = await store(
    'https://shop.example/a\r\n\r\nhttps://shop.example/a#part\nhttp://shop.example/b c\nnonsense\n',
  );
  expect(stored).toMatchObject({ pages: 2, leftOut: 2, ranks: 'none' });
  expect(pages).toMatchObject([
    { path: '/a', status: 0, indexable: true, error: '' },
    { path: '/b%20c', status: 0, fetched_at: '1970-01-01 00:00:01.000' },
  ]);
});

test('uploaded links join pages of the upload', async () => {
  const { stored, links } = await store(
    frog,
    'Type,Source,Destination,Anchor,Follow\nHyperlink,https://shop.example/,https://shop.example/hidden,Hidden,true\nImage,https://shop.example/,https://shop.example/twin,,true\nHyperlink,https://shop.example/,https://elsewhere.example/,Away,true\nHyperlink,https://shop.example/hidden,https://shop.example/#top,Up,false\n',
  );
  expect(stored.ranks).toBe('links');
  expect(links.filter(({ kind }) => kind === 'a')).toMatchObject([
    { from_page: 0, to_page: 4, kind: 'a', nofollow: false, anchor: 'Hidden' },
    { from_page: 4, to_page: 0, nofollow: true, anchor: 'Up' },
  ]);
});

test.each([
  ['', 'the file is empty'],
  ['a,b\n1,2\n', 'no column Address or URL'],
  ['Address\nhttps://elsewhere.example/\n', 'none of its lines has a URL of shop.example'],
  [`Address\n"https://shop.example/${'x'.repeat(2_000_000)}"\n`, "can't be read as a table"],
  ['Address\n"https://shop.example/', "can't be read as a table"],
])('what is no crawl is refused in words: %#', async (text, words) => {
  await expect(store(text)).rejects.toThrow(words);
});

test('a table of arbitrary texts stores valid rows', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', '1e999', '-5', 'NaN', '\ud800'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { minLength: 5, maxLength: 5 }), { maxLength: 5 }),
      async (rows) => {
        const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
        const lines = rows.map((row, at) => [`https://shop.example/${at}`, ...row].map(quoted).join(','));
        const { pages } = await store(
          [
            'Address,Status Code,Title 1,Word Count,Canonical 1,Response Time',
            ...lines,
            'https://shop.example/last,200,,,,',
          ].join('\n'),
        );
        expect(pages).toHaveLength(rows.length + 1);
        for (const { status, words, ms } of pages)
          for (const value of [status, words, ms]) {
            expect(Number.isInteger(value)).toBe(true);
            expect(value as number).toBeGreaterThanOrEqual(0);
          }
      },
    ),
    { numRuns: runs(200) },
  );
});

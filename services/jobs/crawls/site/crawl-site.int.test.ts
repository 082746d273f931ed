import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../../shared/durations.js';
import { ORIGIN, type PageRow, startCrawlWorld } from '../../../../test/harness/jobs/crawl-world.js';
import type { SiteAnswer } from '../../../../test/harness/site/faulty-pages.js';
import { generateSite } from '../../../../test/harness/site/generate-site.js';

let world: Awaited<ReturnType<typeof startCrawlWorld>>;
beforeAll(async () => {
  world = await startCrawlWorld();
});
afterAll(() => world?.stop());

const html = (body: string, headers: Record<string, string> = {}): SiteAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/html', ...headers },
  body,
});

/** A site with these responses by place; other places are 404. */
const siteOf = (answers: Readonly<Record<string, SiteAnswer>>) => {
  const byPlace = new Map(Object.entries(answers));
  return { answer: (place: string) => byPlace.get(place) ?? { status: 404 } };
};

const byPath = (pages: readonly PageRow[]) =>
  new Map(pages.map((page) => [page.url.replace(ORIGIN, ''), page]));

describe('a crawl', () => {
  test('finds every page of a site once, linked or only in the sitemap', async () => {
    const site = generateSite({ origin: ORIGIN, pages: 300, orphans: 5 });
    const crawl = world.newCrawl();
    const told: unknown[] = [];
    const { outcome, requests } = await world.crawl(site, crawl, { onProgress: (each) => told.push(each) });
    expect(outcome).toEqual({ outcome: 'ready' });
    const pages = await world.pages(crawl);
    expect(pages.map(({ url }) => url).sort()).toEqual(
      [
        `${ORIGIN}/`,
        ...Array.from({ length: 299 }, (_, n) => `${ORIGIN}/page-${n + 1}`),
        ...Array.from({ length: 5 }, (_, n) => `${ORIGIN}/orphan-${n}`),
      ].sort(),
    );
    expect(
      pages.every(({ status, indexable, in_sitemap: listed }) => status === 200 && indexable && listed),
    ).toBe(true);
    expect(new Set(requests).size).toBe(requests.length);
    expect(pages.filter(({ found_by: by }) => by === 'sitemap').map(({ url }) => url)).toEqual(
      Array.from({ length: 5 }, (_, n) => `${ORIGIN}/orphan-${n}`),
    );
    expect(told.at(-1)).toEqual({ known: 305, fetched: 305 });
  });

  test('stores each hop of a redirect as a page, and canonical links, and nothing that robots.txt disallows', async () => {
    const site = siteOf({
      '/robots.txt': {
        status: 200,
        body: 'User-agent: LoglaneBot\nDisallow: /no\n\nUser-agent: *\nAllow: /\n',
      },
      '/': html(
        '<a href="/one">1</a><a href="/no">n</a><a href="/n" rel="nofollow">n</a><a href="https://x.example/">x</a><a href="/out">o</a>',
      ),
      '/one': { status: 301, headers: { location: '/two' } },
      '/two': { status: 302, headers: { location: '/three?utm_source=x' } },
      '/three': html('<link rel="canonical" href="/">'),
      '/n': html('<meta name="robots" content="noindex">', { 'x-robots-tag': 'otherbot: nofollow' }),
      '/out': { status: 307, headers: { location: 'http://169.254.169.254/' } },
    });
    const crawl = world.newCrawl();
    const { requests } = await world.crawl(site, crawl);
    const pages = byPath(await world.pages(crawl));
    const told = (path: string) => [pages.get(path)?.status, pages.get(path)?.unindexable_reason];
    expect(told('/')).toEqual([200, '']);
    expect(told('/one')).toEqual([301, 'redirect']);
    expect(told('/two')).toEqual([302, 'redirect']);
    expect(told('/three')).toEqual([200, 'canonical']);
    expect(told('/n')).toEqual([200, 'noindex']);
    expect(pages.get('/no')).toMatchObject({
      status: 0,
      unindexable_reason: 'robots',
      robots_allowed: false,
      fetched: false,
    });
    expect(pages.get('/out')).toMatchObject({ status: 307, redirect_to: 'http://169.254.169.254/' });
    expect(pages.get('/')).toMatchObject({ links_internal: 4, links_external: 1, title: '' });
    expect(requests).not.toContain('/no');
    expect(await world.links(crawl)).toEqual(
      [
        ...['/ a /no', '/ a /one', '/ a /out', '/ a nofollow /n'],
        ...['/one redirect /two', '/two redirect /three', '/three canonical /'],
      ]
        .map((link) => link.replace(/(?<= |^)\//g, `${ORIGIN}/`))
        .sort(),
    );
  });

  test('takes the canonical of the Link header if the HTML of a page has none', async () => {
    const link = { link: '</style.css>; rel=preload, <to>; rel="canonical"' };
    const site = siteOf({
      '/': html(
        '<a href="/in/head">h</a><a href="/in/html">b</a><a href="/in/doc.pdf">d</a><a href="/gone">g</a>',
      ),
      '/in/head': html('<base href="/base/">', link),
      '/in/html': html('<link rel="canonical" href="/in/html">', link),
      '/in/doc.pdf': { status: 200, headers: { 'content-type': 'application/pdf', ...link }, body: 'x' },
      '/gone': { status: 404, headers: link },
      '/in/to': html(''),
    });
    const crawl = world.newCrawl();
    await world.crawl(site, crawl);
    const pages = byPath(await world.pages(crawl));
    const told = (path: string) => [pages.get(path)?.canonical, pages.get(path)?.unindexable_reason];
    expect(told('/in/head')).toEqual([`${ORIGIN}/in/to`, 'canonical']);
    expect(told('/in/html')).toEqual([`${ORIGIN}/in/html`, '']);
    expect(told('/in/doc.pdf')).toEqual([`${ORIGIN}/in/to`, 'content_type']);
    expect(told('/gone')).toEqual(['', 'status']);
    // No other link leads there.
    expect(pages.get('/in/to')).toMatchObject({ status: 200, fetched: true });
  });

  test('fetches no page to which only an alternate in another language leads', async () => {
    const alternates =
      '<link rel="alternate" hreflang="de" href="/de"><link rel="alternate" hreflang="fr" href="/fr">';
    const site = siteOf({ '/': html(`${alternates}<a href="/de">de</a>`), '/de': html(''), '/fr': html('') });
    const crawl = world.newCrawl();
    const { requests } = await world.crawl(site, crawl);
    expect([...byPath(await world.pages(crawl)).keys()]).toEqual(['/', '/de']);
    expect(requests).not.toContain('/fr');
  });

  test('ends on a site that generates pages without end, and survives responses that are no pages', {
    timeout: 120_000,
  }, async () => {
    const site = generateSite({ origin: ORIGIN, pages: 20, traps: true });
    const crawl = world.newCrawl({ maxPages: 3_000 });
    const { outcome, requests } = await world.crawl(site, crawl);
    expect(outcome).toEqual({ outcome: 'ready' });
    const pages = byPath(await world.pages(crawl));
    const count = (start: string) => [...pages.keys()].filter((path) => path.startsWith(start)).length;
    expect([count('/calendar/'), count('/list'), count('/endless/')]).toEqual([50, 1, 4]);
    for (const path of ['/bomb', '/huge'])
      expect(pages.get(path)).toMatchObject({ status: 200, bytes: 2 * 1024 ** 2, error: '' });
    expect(pages.get('/huge')?.title).toBe('Huge');
    expect(pages.get('/drip')).toMatchObject({ status: 200, error: 'timeout', indexable: false });
    expect(pages.get('/cut')).toMatchObject({ status: 200, error: 'broken' });
    expect(pages.get('/latin')?.title).toBe('Größe');
    expect(pages.get('/file.pdf')).toMatchObject({ status: 200, unindexable_reason: 'content_type' });
    expect(requests.length).toBeLessThan(120);
  });

  test.each([
    ['blocked', { '/robots.txt': { status: 403 } }],
    ['blocked', { '/robots.txt': { status: 200, body: 'User-agent: *\nDisallow: /' } }],
    ['blocked', { '/': { status: 401 } }],
    ['blocked', { '/': { status: 429, headers: { 'retry-after': '1' } } }],
    ['failed', { '/robots.txt': { status: 500 } }],
    ['failed', { '/': { status: 500 } }],
    ['failed', { '/': { status: 404 } }],
    ['failed', { '/': { status: 301, headers: { location: 'https://elsewhere.example/' } } }],
  ] as const)('is %s where the website answers %j', async (expected, answers) => {
    const { outcome } = await world.crawl(siteOf(answers as Record<string, SiteAnswer>), world.newCrawl());
    expect(outcome).toMatchObject({ outcome: expected, reason: expect.stringMatching(/\.$/) });
  });

  test('fails if no server responds, after it tried http and the twin host', async () => {
    const site = generateSite({ origin: 'http://www.shop.example', pages: 3 });
    const found = await world.crawl(site, world.newCrawl(), { origins: ['http://www.shop.example'] });
    expect(found.outcome).toEqual({ outcome: 'ready' });
    const none = await world.crawl(site, world.newCrawl(), { origins: [] });
    expect(none.outcome).toMatchObject({ outcome: 'failed' });
  });

  test('waits for Retry-After, and is blocked if a website keeps sending it', async () => {
    let busy = 2;
    const site = generateSite({ origin: ORIGIN, pages: 30 });
    const answer = (place: string): SiteAnswer =>
      place === '/page-5' && busy-- > 0
        ? { status: 503, headers: { 'retry-after': '7' } }
        : site.answer(place);
    const crawl = world.newCrawl();
    expect((await world.crawl({ answer }, crawl)).outcome).toEqual({ outcome: 'ready' });
    expect(byPath(await world.pages(crawl)).get('/page-5')).toMatchObject({ status: 200 });
    const always = (place: string): SiteAnswer =>
      /page-\d{2}/.test(place) ? { status: 429 } : site.answer(place);
    const ended = await world.crawl({ answer: always }, world.newCrawl());
    expect(ended.outcome).toMatchObject({ outcome: 'blocked', reason: expect.stringContaining('429') });
  });

  test('takes a day at most, and completes with the pages that it has by then', async () => {
    const site = generateSite({ origin: ORIGIN, pages: 300 });
    let time = Date.now();
    const now = () => {
      time += 10 * MINUTE_MS;
      return time;
    };
    const crawl = world.newCrawl();
    const { outcome } = await world.crawl(site, crawl, { parts: { now } });
    expect(outcome).toEqual({ outcome: 'ready' });
    const pages = await world.pages(crawl);
    const fetched = pages.filter((page) => page.fetched).length;
    expect(fetched).toBeGreaterThan(5);
    expect(fetched).toBeLessThan(144);
    expect(pages.at(-1)).toMatchObject({ fetched: false, unindexable_reason: 'not_fetched' });
  });

  test('discovers no more pages than the maximum, and fetches few at once', async () => {
    const site = generateSite({ origin: ORIGIN, pages: 300 });
    const crawl = world.newCrawl({ maxPages: 100, seeds: ['/page-299', 'https://other.example/'] });
    const { outcome, mostAtOnce } = await world.crawl(site, crawl);
    expect(outcome).toEqual({ outcome: 'ready' });
    const pages = await world.pages(crawl);
    expect(pages).toHaveLength(100);
    expect(pages[1]).toMatchObject({ url: `${ORIGIN}/page-299`, found_by: 'seed', status: 200 });
    expect(mostAtOnce).toBeLessThanOrEqual(8);
  });

  test('finds the faults of the generated site as its list names them', async () => {
    const site = generateSite({ origin: ORIGIN, pages: 60, perFault: 2, slowMs: 300 });
    const crawl = world.newCrawl();
    await world.crawl(site, crawl);
    const pages = await world.pages(crawl);
    const urlsOf = (finding: string) =>
      site.faults
        .filter((fault) => fault.finding === finding)
        .map(({ url }) => url)
        .sort();
    const where = (is: (page: PageRow) => boolean) =>
      pages
        .filter(is)
        .map(({ url }) => url)
        .sort();
    expect(new Set(site.faults.map(({ finding }) => finding)).size).toBe(18);
    expect(site.faults.filter(({ url }) => !pages.some((page) => page.url === url))).toEqual([]);
    expect(urlsOf('noindex_pages')).toEqual(where((page) => page.unindexable_reason === 'noindex'));
    expect(urlsOf('long_titles')).toEqual(where(({ title }) => title.length > 60));
    expect(urlsOf('missing_titles')).toEqual(where((page) => page.status === 200 && page.title === ''));
    expect(urlsOf('thin_pages')).toEqual(where((page) => page.status === 200 && page.words < 100));
    expect(urlsOf('large_pages')).toEqual(where(({ bytes }) => bytes > 1_000_000));
    // On a busy machine, other pages are slow too.
    expect(where(({ ms }) => ms >= 299)).toEqual(expect.arrayContaining(urlsOf('slow_pages')));
    expect(urlsOf('sitemap_issues')).toEqual(where((page) => page.in_sitemap && !page.indexable));
    const linked = new Set(
      (await world.links(crawl))
        .map((link) => link.split(' '))
        .filter(([, kind]) => kind === 'a')
        .map((link) => link.at(-1)),
    );
    const isLinked = ({ url }: PageRow) => linked.has(url);
    expect(urlsOf('broken_links')).toEqual(where((page) => page.status >= 400 && isLinked(page)));
    expect(urlsOf('links_to_redirects')).toEqual(where((page) => page.redirect_to !== '' && isLinked(page)));
    expect(urlsOf('robots_blocked')).toEqual(where((page) => !page.robots_allowed && isLinked(page)));
  });
});

describe('an interrupted crawl', () => {
  test('resumes from its stored rows, fetches nothing twice, and finds the same pages and links', async () => {
    const site = generateSite({ origin: ORIGIN, pages: 400, perFault: 2, slowMs: 20, orphans: 30 });
    const whole = world.newCrawl();
    await world.crawl(site, whole);
    const told = async (crawl: typeof whole) => ({
      pages: (await world.pages(crawl)).map(({ ms: _, ...page }) => page),
      links: await world.links(crawl),
    });
    const expected = await told(whole);
    expect(expected.pages.length).toBeGreaterThan(430);

    for (const cut of [1, 2, 4, 6]) {
      const crawl = world.newCrawl();
      let inserts = 0;
      const writer = {
        ...world.clickhouse,
        async insert(options: Parameters<typeof world.clickhouse.insert>[0]) {
          inserts += 1;
          if (inserts === cut) throw new Error('The store is away');
          await world.clickhouse.insert(options);
        },
      };
      const first = await world.crawl(site, crawl, { writer });
      expect(first.outcome).toBe('Error: The store is away');
      const storedFirst = (await world.pages(crawl)).filter(({ fetched }) => fetched);

      const stopped = new AbortController();
      const second = await world.crawl(site, crawl, {
        signal: stopped.signal,
        onProgress: () => stopped.abort(new Error('Shut down')),
      });
      expect(second.outcome).toBe('Error: Shut down');
      const stored = (await world.pages(crawl)).filter(({ fetched }) => fetched);
      expect(stored.length).toBeGreaterThan(storedFirst.length);

      const third = await world.crawl(site, crawl);
      expect(third.outcome).toEqual({ outcome: 'ready' });
      const again = new Set(stored.map(({ url }) => url.replace(ORIGIN, '')));
      expect(third.requests.filter((place) => again.has(place))).toEqual([]);
      expect(await told(crawl)).toEqual(expected);
    }
  });
});

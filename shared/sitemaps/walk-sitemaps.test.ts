import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FetchError } from '../fetch/fetch-error.js';
import type { Fetcher } from '../fetch/fetcher.js';
import { sitemapLimits } from './limits.js';
import { type ListedUrl, type WalkOptions, walkSitemaps } from './walk-sitemaps.js';

type Body = string | Uint8Array;
type Files = Readonly<Record<string, Body | number | Error | undefined>>;

const BASE = 'https://example.com';
const pages = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${BASE}${path}</loc></url>`).join('')}</urlset>`;
const index = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${path}</loc></sitemap>`).join('')}</sitemapindex>`;

/** A website with these files, by URL; a number is a status, and other URLs answer 404. */
function fetcherOf(fileOf: (url: string) => Body | number | Error | undefined) {
  const asked: string[] = [];
  const fetch: Fetcher = async (url) => {
    asked.push(url);
    const file = fileOf(url);
    if (file instanceof Error) throw file;
    const status = typeof file === 'number' ? file : file === undefined ? 404 : 200;
    async function* body() {
      if (status === 200) yield Buffer.from(file as Body as string);
      else throw new FetchError('bad_encoding', 'example.com');
    }
    return { finalUrl: url, redirects: [], status, headers: new Headers(), body: body(), discard() {} };
  };
  return { fetch, asked };
}

async function walk(
  files: Files | ((url: string) => Body | number | Error | undefined),
  given: Partial<WalkOptions> = {},
) {
  const byUrl = new Map(typeof files === 'function' ? [] : Object.entries(files));
  const { fetch, asked } = fetcherOf(typeof files === 'function' ? files : (url) => byUrl.get(url));
  const urls: ListedUrl[] = [];
  const found = await walkSitemaps({
    domain: 'example.com',
    fromRobots: [],
    fetch,
    async onUrls(batch) {
      urls.push(...batch);
    },
    signal: new AbortController().signal,
    ...given,
  });
  return { ...found, paths: urls.map(({ path }) => path), listed: urls, asked };
}

test('the sitemaps of robots.txt are read, and the usual places are not requested', async () => {
  const found = await walk(
    { [`${BASE}/mine.xml`]: pages('/a'), [`${BASE}/sitemap.xml`]: pages('/b') },
    { fromRobots: [`${BASE}/mine.xml`] },
  );
  expect(found).toMatchObject({
    complete: true,
    reason: null,
    files: 1,
    urls: 1,
    paths: ['/a'],
    asked: [`${BASE}/mine.xml`],
  });
});

test('without a sitemap in robots.txt, the first usual place that has one is read', async () => {
  const found = await walk({
    [`${BASE}/sitemap.xml`]: '<!doctype html><html></html>',
    [`${BASE}/sitemap_index.xml`]: index(`${BASE}/1.xml`),
    [`${BASE}/1.xml`]: pages('/a'),
  });
  expect(found).toMatchObject({ complete: true, files: 2, paths: ['/a'] });
  expect(found.asked).not.toContain(`${BASE}/wp-sitemap.xml`);
});

test('a website without TLS is requested over plain HTTP', async () => {
  const found = await walk((url) =>
    url.startsWith('https:')
      ? new FetchError('refused', 'example.com')
      : url === 'http://example.com/sitemap.xml'
        ? pages('/a')
        : undefined,
  );
  expect(found).toMatchObject({ complete: true, paths: ['/a'] });
});

test('a website without a sitemap is reported as such, and the walk is not complete', async () => {
  expect(await walk({})).toMatchObject({ complete: false, reason: 'no_sitemap', files: 0, failedFiles: 0 });
});

test('if robots.txt is unknown, the walk is not complete', async () => {
  expect(await walk({ [`${BASE}/sitemap.xml`]: pages('/a') }, { fromRobots: null })).toMatchObject({
    complete: false,
    reason: 'robots_unknown',
    paths: ['/a'],
  });
  expect(await walk({}, { fromRobots: null })).toMatchObject({ reason: 'robots_unknown', files: 0 });
});

test.each<[string, Body | number | Error | undefined, string]>([
  ['is gone', undefined, 'http_404'],
  ['answers with an error', 503, 'http_503'],
  ['does not answer', new FetchError('timeout', 'example.com'), 'timeout'],
  ['is a page', '<html></html>', 'not_a_sitemap'],
  ['breaks in the middle', `<urlset><url><loc>${BASE}/b</loc></url><url`, 'broken_xml'],
  ['is gzip cut short', gzipSync(pages('/b')).subarray(0, 30), 'broken_gzip'],
])(
  'a file of an index that %s makes the fetch incomplete, and the others are read',
  async (_, file, problem) => {
    const found = await walk({
      [`${BASE}/sitemap.xml`]: index(`${BASE}/1.xml`, `${BASE}/2.xml`, `${BASE}/3.xml`),
      [`${BASE}/1.xml`]: pages('/a'),
      [`${BASE}/2.xml`]: file,
      [`${BASE}/3.xml`]: pages('/c'),
    });
    expect(found).toMatchObject({
      complete: false,
      reason: 'files_failed',
      failedFiles: 1,
      problems: [{ sitemap: `${BASE}/2.xml`, problem }],
    });
    expect(found.paths).toEqual(expect.arrayContaining(['/a', '/c']));
  },
);

test('gzip is detected by its bytes, for any file name', async () => {
  const found = await walk({
    [`${BASE}/sitemap.xml`]: index(`${BASE}/1.xml`, `${BASE}/2.xml.gz`),
    [`${BASE}/1.xml`]: gzipSync(pages('/a')),
    [`${BASE}/2.xml.gz`]: pages('/b'),
  });
  expect(found).toMatchObject({ complete: true, paths: ['/a', '/b'] });
});

test('a file with an unreadable address in robots.txt or an index makes the fetch incomplete', async () => {
  const long = `${BASE}/${'x'.repeat(2_048)}`;
  const found = await walk(
    {
      [`${BASE}/1.xml`]: index(`${BASE}/2.xml`, 'http://[', '', long),
      [`${BASE}/2.xml`]: pages('/a'),
    },
    { fromRobots: ['https://', `${BASE}/1.xml`] },
  );
  expect(found).toMatchObject({
    complete: false,
    reason: 'files_failed',
    files: 2,
    failedFiles: 4,
    invalidUrls: 0,
    paths: ['/a'],
  });
  expect(found.problems).toEqual(
    ['https://', 'http://[', `${BASE}/1.xml`, long.slice(0, 2_048)].map((sitemap) => {
      return { sitemap, problem: 'invalid_url' };
    }),
  );
});

test('a path in a sitemap line of robots.txt is relative to the website', async () => {
  const found = await walk({ [`${BASE}/mine.xml`]: pages('/a') }, { fromRobots: ['/mine.xml'] });
  expect(found).toMatchObject({ complete: true, paths: ['/a'], asked: [`${BASE}/mine.xml`] });
});

test('if no sitemap line of robots.txt is readable, the usual places are also requested', async () => {
  const found = await walk({ [`${BASE}/sitemap.xml`]: pages('/a') }, { fromRobots: ['https://'] });
  expect(found).toMatchObject({ complete: false, reason: 'files_failed', paths: ['/a'] });
});

test('robots.txt with more files than the limit makes the fetch incomplete', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `${BASE}/${n}.xml`);
  const found = await walk(() => pages('/a'), {
    fromRobots: names,
    limits: { ...sitemapLimits, files: 10 },
  });
  expect(found).toMatchObject({ complete: false, reason: 'too_many_files', files: 10 });
});

test('pages of other hosts are counted and excluded', async () => {
  const found = await walk({
    [`${BASE}/sitemap.xml`]:
      '<urlset><url><loc>https://example.org/a</loc></url><url><loc>/b</loc></url><url><loc>https://www.example.com/c</loc></url></urlset>',
  });
  expect(found).toMatchObject({ complete: true, urls: 1, foreignUrls: 1, invalidUrls: 1, paths: ['/c'] });
});

test('an index in an index is read, one level deeper is not, and cyclic indexes end', async () => {
  const found = await walk({
    [`${BASE}/sitemap.xml`]: index(`${BASE}/2.xml`, `${BASE}/sitemap.xml`),
    [`${BASE}/2.xml`]: index(`${BASE}/3.xml`, `${BASE}/2.xml`),
    [`${BASE}/3.xml`]: index(`${BASE}/4.xml`),
    [`${BASE}/4.xml`]: pages('/deep'),
  });
  expect(found).toMatchObject({
    complete: false,
    files: 3,
    paths: [],
    problems: [{ sitemap: `${BASE}/4.xml`, problem: 'nested_too_deep' }],
  });
});

test('endless indexes stop at the limit of files', async () => {
  let made = 0;
  const endless = (url: string) =>
    url.includes('/page')
      ? pages(`/${url.length}`)
      : index(...Array.from({ length: 20 }, () => `${BASE}/page${made++}.xml`));
  const found = await walk(endless, { limits: { ...sitemapLimits, files: 10 } });
  expect(found).toMatchObject({ complete: false, reason: 'too_many_files' });
  expect(found.asked.length).toBeLessThanOrEqual(11);
});

test('pages beyond the limits of a file and of a website are excluded, and the fetch is incomplete', async () => {
  const many = pages(...Array.from({ length: 30 }, (_, n) => `/${n}`));
  expect(
    await walk({ [`${BASE}/sitemap.xml`]: many }, { limits: { ...sitemapLimits, urlsPerFile: 20 } }),
  ).toMatchObject({
    complete: false,
    reason: 'files_failed',
    urls: 20,
    problems: [{ problem: 'too_many_urls' }],
  });
  const found = await walk(
    {
      [`${BASE}/sitemap.xml`]: index(`${BASE}/1.xml`, `${BASE}/2.xml`),
      [`${BASE}/1.xml`]: many,
      [`${BASE}/2.xml`]: many,
    },
    { limits: { ...sitemapLimits, urls: 25 } },
  );
  expect(found).toMatchObject({ complete: false, reason: 'too_many_urls', urls: 25 });
  expect(found.paths).toHaveLength(25);
});

test('other hosts are requested a few times, and never for files of an index', async () => {
  const victim = (n: number) => `https://victim.example/${n}.xml`;
  const others = Array.from({ length: 50 }, (_, n) => victim(n));
  const isVictims = (url: string) => url.startsWith('https://victim.example');
  const site = (url: string) => (url === `${BASE}/index.xml` ? index(...others) : pages('/a'));
  const byIndex = await walk(site, { fromRobots: [`${BASE}/index.xml`] });
  expect(byIndex.asked.filter(isVictims)).toEqual([]);
  expect(byIndex).toMatchObject({ complete: false, reason: 'files_failed', failedFiles: 50 });
  expect(byIndex.problems[0]).toEqual({ sitemap: victim(0), problem: 'foreign_host' });

  const byRobots = await walk(site, { fromRobots: [...others, `${BASE}/mine.xml`] });
  expect(byRobots.asked.filter(isVictims)).toHaveLength(10);
  expect(byRobots).toMatchObject({ complete: false, failedFiles: 40, files: 11 });
});

test('sitemaps at another host and at subdomains are read as files of the website', async () => {
  const CDN = 'https://cdn.example.net';
  const found = await walk(
    {
      [`${CDN}/index.xml`]: index(`${CDN}/1.xml`, 'https://files.example.com/2.xml'),
      [`${CDN}/1.xml`]: pages('/a'),
      'https://files.example.com/2.xml': pages('/b'),
    },
    { fromRobots: [`${CDN}/index.xml`] },
  );
  expect(found).toMatchObject({ complete: true, paths: ['/a', '/b'] });
});

test('redirects to other hosts count as files of other hosts', async () => {
  const followed: string[] = [];
  const fetch: Fetcher = async (url, { onRedirect }) => {
    if (url.endsWith('/index.xml')) return site.fetch(url, {} as never);
    const target = new URL(url.replace('example.com', 'victim.example'));
    onRedirect?.(target);
    followed.push(target.href);
    return site.fetch(url, {} as never);
  };
  const names = Array.from({ length: 50 }, (_, n) => `${BASE}/${n}.xml`);
  const site = fetcherOf((url) => (url.endsWith('/index.xml') ? index(...names) : pages('/a')));
  const found = await walk({}, { fetch, fromRobots: [`${BASE}/index.xml`] });
  expect(followed).toHaveLength(10);
  expect(found).toMatchObject({ complete: false, reason: 'files_failed', files: 11, failedFiles: 40 });
});

test('files that exceed the total limit end the walk', async () => {
  const found = await walk(
    (url) =>
      url === `${BASE}/sitemap.xml`
        ? index(...Array.from({ length: 20 }, (_, n) => `${BASE}/${n}.xml`))
        : pages('/a'),
    { limits: { ...sitemapLimits, characters: 2_000 } },
  );
  expect(found).toMatchObject({ complete: false, reason: 'files_failed', failedFiles: 1 });
  expect(found.problems).toMatchObject([{ problem: 'too_large' }]);
  expect(found.asked.length).toBeLessThan(21);
});

test('a website that drips its files is read as long as there is time, and what it listed by then counts', async () => {
  const timeouts: number[] = [];
  const fetch: Fetcher = async (url, { timeoutMs }) => {
    timeouts.push(timeoutMs);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return fetcherOf(() => pages(new URL(url).pathname)).fetch(url, {} as never);
  };
  const fromRobots = Array.from({ length: 50 }, (_, n) => `${BASE}/${n}.xml`);
  const found = await walk({}, { fetch, fromRobots, limits: { ...sitemapLimits, totalMs: 150 } });
  expect(found).toMatchObject({ complete: false, reason: 'too_many_files' });
  expect(timeouts.length).toBeLessThan(10);
  expect(Math.max(...timeouts)).toBeLessThanOrEqual(150);
  expect(found.paths).toHaveLength(timeouts.length);
});

test('between the pieces of a body that has arrived others get their turn', async () => {
  let turns = 0;
  let ended = false;
  const count = () => {
    turns += 1;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const fetch: Fetcher = async (url) => {
    async function* body() {
      for (let n = 0; n < 100; n++) yield Buffer.from(`${BASE}/${n}\n`);
    }
    const status = url.endsWith('/sitemap.xml') ? 200 : 404;
    return { finalUrl: url, redirects: [], status, headers: new Headers(), body: body(), discard() {} };
  };
  await walk({}, { fetch });
  ended = true;
  expect(turns).toBeGreaterThanOrEqual(100);
});

test('pages are emitted while files are read, and reading waits for the consumer', async () => {
  const lines = Array.from({ length: 12_000 }, (_, n) => `${BASE}/${n}`);
  const sizes: number[] = [];
  const fetch: Fetcher = async (url) => {
    async function* body() {
      for (const line of lines) yield Buffer.from(`${line}\n`);
    }
    return {
      finalUrl: url,
      redirects: [],
      status: url.endsWith('/sitemap.xml') ? 200 : 404,
      headers: new Headers(),
      body: body(),
      discard() {},
    };
  };
  await walk({}, { fetch, onUrls: async (batch) => void sizes.push(batch.length) });
  expect(sizes).toEqual([5_000, 5_000, 2_000]);
});

test('a walk that is aborted throws the abort reason', async () => {
  const stop = new AbortController();
  const reason = new Error('left');
  const running = walk(
    (url) => {
      if (url.endsWith('/2.xml')) stop.abort(reason);
      return url.endsWith('/sitemap.xml')
        ? index(`${BASE}/1.xml`, `${BASE}/2.xml`, `${BASE}/3.xml`)
        : pages('/a');
    },
    { signal: stop.signal },
  );
  await expect(running).rejects.toBe(reason);
});

test('a connection closed by the abort is not a failed file', async () => {
  const stop = new AbortController();
  const reason = new Error('left');
  const running = walk(
    () => {
      stop.abort(reason);
      return new FetchError('broken', 'example.com');
    },
    { fromRobots: [`${BASE}/1.xml`], signal: stop.signal },
  );
  await expect(running).rejects.toBe(reason);
});

test('a store that refuses the pages ends the walk without a failed file', async () => {
  const refused = new Error('store away');
  const running = walk({ [`${BASE}/sitemap.xml`]: pages('/a') }, { onUrls: () => Promise.reject(refused) });
  await expect(running).rejects.toBe(refused);
});

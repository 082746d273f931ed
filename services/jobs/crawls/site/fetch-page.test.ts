import { expect, test } from 'vitest';
import type { Fetched, Fetcher } from '../../../../shared/fetch/fetcher.js';
import { fetchPage } from './fetch-page.js';

/** A website with these redirects; other URLs respond with a page. */
function websiteOf(redirects: Record<string, string>) {
  const asked: string[] = [];
  const fetch: Fetcher = async (url) => {
    asked.push(url);
    const location = new Map(Object.entries(redirects)).get(url);
    const head = { status: location === undefined ? 200 : 301, headers: new Headers() };
    if (location !== undefined) head.headers.set('location', location);
    async function* body() {
      yield Buffer.from('<title>Page</title>');
    }
    return { ...head, finalUrl: url, redirects: [], body: body(), discard: () => {} } satisfies Fetched;
  };
  const signal = new AbortController().signal;
  return { asked, page: (url: string) => fetchPage(url, fetch, { now: () => 0, signal }) };
}

const PAGE = 'https://shop.example/%D0%BF';

test('a redirect to another spelling of the same URL is followed once, as it is the same page', async () => {
  const { asked, page } = websiteOf({ [PAGE]: '/%d0%bf' });
  expect(await page(PAGE)).toMatchObject({ status: 200, html: '<title>Page</title>' });
  expect(asked).toEqual([PAGE, 'https://shop.example/%d0%bf']);
});

test('a URL that redirects between its spellings without end is a redirect', async () => {
  const { asked, page } = websiteOf({ [PAGE]: '/%d0%bf', 'https://shop.example/%d0%bf': PAGE });
  expect(await page(PAGE)).toMatchObject({ status: 301, html: null });
  expect(asked).toHaveLength(2);
});

test.each(['/%D0%BF/', '/%D0%BF', 'http://shop.example/%D0%BF', 'https://[', ''])(
  'a redirect to %j is no redirect to another spelling',
  async (location) => {
    const { asked, page } = websiteOf({ [PAGE]: location });
    expect(await page(PAGE)).toMatchObject({ status: 301 });
    expect(asked).toEqual([PAGE]);
  },
);

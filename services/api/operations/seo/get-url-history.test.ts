import { expect, test } from 'vitest';
import { createTestApi, untouchedStore } from '../../../../test/harness/api.js';

/** An empty store. */
const emptyStore = { read: () => Promise.resolve([]) };

test.each([
  ['/a/../b/./c', '/b/c'],
  ['https://www.example.com/a/../b', '/b'],
  ['https://www.example.com/größe|x y', '/gr%C3%B6%C3%9Fe%7Cx%20y'],
  ['/größe', '/gr%C3%B6%C3%9Fe'],
  ['/gr%c3%b6%C3%9fe/%7Ea', '/gr%C3%B6%C3%9Fe/~a'],
  ['*', '*'],
  ['HTTP://Shop.Example.com:81/a?page=2#top', '/a?page=2'],
  ['https://example.com', '/'],
  ['/a?page=2#top', '/a?page=2'],
  ['/a?q=é&r=%27', "/a?q=%C3%A9&r='"],
  ['/a?', '/a'],
  ['/a#top?x', '/a'],
])('the page of %s is %s in normal spelling', async (given, path) => {
  const api = await createTestApi({ reader: emptyStore });
  const { status, body } = await api.read(`/seo/sitemap/url-history?url_path=${encodeURIComponent(given)}`);
  const matches = path.includes('?') ? 'path_and_query' : 'path';
  expect([status, body.url_path, body.matches]).toEqual([200, path, matches]);
});

test('describes a path if it is missing', async () => {
  const api = await createTestApi({ reader: untouchedStore });
  const { status, body } = await api.read('/seo/sitemap/url-history');
  expect([status, body.detail]).toEqual([
    400,
    'url_path: expected a path such as /products/blue-shirt, but it is missing.',
  ]);
});

test.each([
  ['blog', 'url_path: expected a path that begins with a slash, got "blog"'],
  ['?page=2', 'url_path: expected a path that begins with a slash'],
  ['https://other.example/a', 'url_path: expected a URL of www.example.com, got one of other.example'],
])('refuses %s before it reads anything', async (given, detail) => {
  const api = await createTestApi({ reader: untouchedStore });
  const { status, body } = await api.read(`/seo/sitemap/url-history?url_path=${encodeURIComponent(given)}`);
  expect(status).toBe(400);
  expect(body.detail).toContain(detail);
});

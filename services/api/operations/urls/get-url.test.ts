import { describe, expect, test } from 'vitest';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { StoreTimeoutError } from '../../../../shared/store/store-errors.js';
import { createTestApi, untouchedStore } from '../../../../test/harness/api.js';

/** An empty store whose raw rows take longer than a caller waits. */
const slowRows: ClickHouseReader = {
  read({ name, scan }) {
    if (name !== 'url.logs') return Promise.resolve([]);
    return scan === undefined ? Promise.reject(new StoreTimeoutError('too long')) : new Promise(() => {});
  },
};

describe('url', () => {
  test('returns all other sections while the requests are being read, with Retry-After', async () => {
    const api = await createTestApi({ reader: slowRows, readDeadlineMs: 5 });
    const { status, body, headers } = await api.read('/url?path=/a');
    expect(status).toBe(200);
    expect(headers.get('Retry-After')).toBe('2');
    expect(body).toMatchObject({ path: '/a', logs: null, data_buffering: true, search_bots: [] });
    for (const section of ['crawl', 'sitemap', 'index_status', 'analytics', 'importance', 'window'])
      expect(body[section], section).not.toBeNull();
  });

  test('names the missing source of each section without figures', async () => {
    const api = await createTestApi({ reader: slowRows, readDeadlineMs: 5 });
    const { body } = await api.read('/url?path=/a');
    expect(body.crawl).toMatchObject({ available: false, reason: 'no_crawl', in_crawl: null });
    expect(body.index_status).toMatchObject({ available: false, reason: 'gsc_not_connected' });
    expect(body.analytics).toMatchObject({ available: false, reason: 'analytics_not_connected' });
    expect(body.importance).toMatchObject({ available: false, reason: 'not_built_yet' });
    expect(body.sitemap).toMatchObject({ membership_status: 'unknown', in_sitemap: null, times_crawled: 0 });
  });

  test.each([
    ['', 'path: expected a path such as /products/blue-shirt, but it is missing.'],
    ['?path=', 'path: expected'],
    ['?path=blog', 'path: expected a path that begins with a slash, got "blog"'],
    ['?path=%3Fx', 'path: expected a path that begins with a slash'],
    ['?path=https://other.example/a', 'path: expected a URL of www.example.com, got one of other.example'],
  ])('refuses %s before it reads anything', async (query, detail) => {
    const api = await createTestApi({ reader: untouchedStore });
    const { status, body } = await api.read(`/url${query}`);
    expect(status).toBe(400);
    expect(body.detail).toContain(detail);
  });
});

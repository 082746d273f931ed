import { expect, test } from 'vitest';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { readSitemapUrls } from './read-sitemap-urls.js';

const read = (content: string | null) =>
  readSitemapUrls(
    { id: 'w', domain: 'example.com', organisationId: 'o', createdAt: '' },
    {
      clickhouse: {
        read: async ({ row }) => (content === null ? [] : [row.parse({ outcome: 'found', content })]),
      } as ClickHouseReader as never,
      now: Date.now,
    },
  );

test('every sitemap line counts once, in any number and with any content', async () => {
  const names = Array.from({ length: 2_000 }, (_, n) => `https://example.com/${n}.xml`);
  const odd = ['/relative.xml', 'https://', 'x'.repeat(3_000)];
  const lines = [...names, ...odd, names[0]].map((name) => `Sitemap: ${name}`);
  expect(await read(lines.join('\n'))).toEqual([...names, ...odd]);
});

test('a robots.txt without a sitemap line names none, and an unknown one is no empty one', async () => {
  expect(await read('User-agent: *')).toEqual([]);
  expect(await read(null)).toBeNull();
});

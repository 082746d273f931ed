import { expect, test } from 'vitest';
import type { InsertOptions } from './client.js';
import { insertRows } from './insert-rows.js';

test('an unpaired surrogate becomes U+FFFD in every text of a row, also inside a tuple', async () => {
  const inserts: InsertOptions[] = [];
  const writer = {
    insert: async (options: InsertOptions) => void inserts.push(options),
    command: async () => {},
  };
  await insertRows(writer, {
    table: 'sitemap_urls',
    rows: [{ path: 'a\ud800', listed: { url: '\udfff', lastmod: 1 } }],
    deduplicationToken: 't',
  });
  const [{ rows, ...rest }] = inserts as [InsertOptions];
  expect(JSON.parse(rows.toString())).toEqual({ path: 'a\ufffd', listed: { url: '\ufffd', lastmod: 1 } });
  expect(rest).toEqual({
    ...{ table: 'sitemap_urls', columns: ['path', 'listed'], format: 'JSONEachRow' },
    deduplicationToken: 't',
  });
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse } from './clickhouse.js';

test('the test database has every rollup, and no longer exists after stop', async () => {
  const { clickhouse, stop } = await startTestClickHouse();
  try {
    const views = await clickhouse.read({
      name: 'test.views',
      sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView' AND name LIKE {like:String}",
      params: { like: '%_mv' },
      row: z.object({ name: z.string() }),
    });
    expect(views.map(({ name }) => name)).toContain('paths_per_day_mv');
  } finally {
    await stop();
  }
  expect(await clickhouse.ping()).toBe(false);
});

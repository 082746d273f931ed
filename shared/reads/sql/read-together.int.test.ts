import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import type { ClickHouseReader } from '../../store/client.js';
import { readTogether } from './read-together.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());

const restsOn = { websiteId: 'w', part: 'other_tables' } as const;
const texts = ['', "it's", '\\N\t\n', '"}]', '{path: String}', '漢😀', '\u2028', '%'];
const text = {
  sql: 'SELECT arrayJoin({texts: Array(String)}) AS text ORDER BY text DESC',
  params: { texts },
  row: z.object({ text: z.string() }),
  restsOn,
};
const figures = {
  sql: `SELECT toUInt64({big: UInt64}) AS big, 0.1 + 0.2 AS fraction, nan AS none, CAST(NULL AS Nullable(UInt8)) AS empty, true AS yes,
  toDate('2026-11-20') AS day, [1, 2] AS list, map('a', 1) AS named`,
  params: { big: 1_795_927_170_920 },
  row: z.record(z.string(), z.unknown()),
  restsOn,
};
const nothing = { sql: 'SELECT 1 AS one WHERE 0', params: {}, row: z.object({ one: z.number() }), restsOn };

describe('several statements in one', () => {
  test('give the rows of each, in its order', async () => {
    const alone = (part: typeof text | typeof figures | typeof nothing) =>
      engine.clickhouse.read<unknown>({ name: 'alone', ...part });
    const parts = [text, nothing, null, figures, text] as const;
    const found = await readTogether(engine.clickhouse, 'together', parts);
    expect(found).toEqual([await alone(text), [], [], await alone(figures), await alone(text)]);
    expect(found[0].map((row) => row.text)).toEqual(
      texts.toSorted((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a))),
    );
  });

  test('are none without parts', async () => {
    const untouched: ClickHouseReader = { read: () => Promise.reject(new Error('read')) };
    expect(await readTogether(untouched, 'together', [null, null])).toEqual([[], []]);
  });

  test('refuse a row of another shape, and a parameter with two values', async () => {
    const wrong = { ...nothing, sql: "SELECT 'x' AS one" };
    await expect(readTogether(engine.clickhouse, 'together', [text, wrong])).rejects.toThrow('one');
    const withTexts = (some: readonly string[]) => ({ ...text, params: { texts: some } });
    const others = [withTexts(['x,y']), withTexts(['x', 'y'])] as const;
    await expect(readTogether(engine.clickhouse, 'together', others)).rejects.toThrow('texts');
  });
});
